package main

import "html/template"

// The pages of the collection.

const frame = `{{define "head"}}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{.Files.Policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{{end}}`

var listPage = template.Must(template.Must(template.New("list").Parse(frame)).Parse(`{{template "head" .}}<title>The collection – Pagoda</title>
<meta name="description" content="{{len .Puzzles}} puzzles, each with what was computed about it.">
<link rel="icon" href="{{.Files.Icon}}" type="image/svg+xml">
<link rel="alternate" href="collection.json" type="application/json" title="The collection for programs">
<link rel="stylesheet" href="{{.Files.Style}}">
<script type="module" src="{{.Files.Script}}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the list</a>
<header class="top"><a class="brand" href="./"><img src="{{.Files.Icon}}" alt="" width="28" height="28"> Pagoda</a></header>
<main class="collection" id="main" tabindex="-1">
<h1>The collection</h1>
<p class="lead">{{len .Puzzles}} puzzles, each with what was computed about it. A heading sorts the list. All of it is also <a href="collection.json">a file for programs</a>.</p>
<form class="pick" id="pick" role="search">
<label>Search <input type="search" id="search" autocomplete="off"></label>
<label>Kind <select id="kind"><option value="">all</option>{{range .Kinds}}<option>{{.}}</option>{{end}}</select></label>
<span id="found" role="status"></span>
</form>
<div class="wide"><table id="list">
<thead><tr><th scope="col" data-name="puzzle">Puzzle</th><th scope="col" data-name="kind">Kind</th>{{range .Columns}}<th scope="col" data-name="{{.Name}}" title="{{.About}}">{{.Title}}</th>{{end}}</tr></thead>
<tbody>
{{range $p := .Puzzles}}<tr><td><a href="{{$p.Page}}">{{$p.Name}}</a>{{with $p.About}} <span class="small">{{.}}</span>{{end}}</td><td>{{$p.Family}}</td>{{range $.Columns}}<td data-value="{{$p.Value .Name}}">{{$p.Number .Name}}</td>{{end}}</tr>
{{end}}</tbody>
</table></div>
</main>
</body>
</html>
`))

var puzzlePage = template.Must(template.Must(template.New("puzzle").Funcs(template.FuncMap{"dark": dark}).Parse(frame)).Parse(`{{template "head" .}}{{with .Puzzle}}<title>{{.Name}}{{with .About}}: {{.}}{{end}} – Pagoda</title>
<meta name="description" content="{{.Name}}{{with .About}}: {{.}}{{end}}">
<meta property="og:title" content="{{.Name}}">
<meta property="og:description" content="{{with .About}}{{.}}{{else}}{{.Family}}{{end}}">
{{.Shown}}{{with .Previous}}<link rel="prev" href="{{.Link}}">
{{end}}{{with .Next}}<link rel="next" href="{{.Link}}">
{{end}}{{end}}<link rel="icon" href="../{{.Files.Icon}}" type="image/svg+xml">
<link rel="alternate" href="../collection.json" type="application/json" title="The collection for programs">
<link rel="stylesheet" href="../{{.Files.Style}}">
</head>
<body>
<a class="skip" href="#main">Skip to the puzzle</a>
<header class="top"><a class="brand" href="../"><img src="../{{.Files.Icon}}" alt="" width="28" height="28"> Pagoda</a><nav class="views" aria-label="Pages"><a href="../collection.html">The collection</a></nav></header>
{{with $p := .Puzzle}}<main class="collection puzzle" id="main" tabindex="-1">
<div><h1>{{.Name}}</h1>
<p class="lead">{{with .About}}{{.}} – {{end}}{{.Family}}</p></div>
{{if .Picture}}<picture><source srcset="../{{dark .Picture}}" media="(prefers-color-scheme: dark)"><img class="start" src="../{{.Picture}}" alt="The start of {{.Name}}" width="{{.Width}}" height="{{.Height}}"></picture>{{end}}
{{if .Playable}}<p><a class="button primary" href="{{.Play}}">Compute and play it here</a></p>{{end}}
{{with .Metrics}}<h2>In each metric</h2>
<div class="wide" role="region" tabindex="0" aria-label="Numbers in each metric"><table class="metrics"><thead><tr><td></td>{{range .Metrics}}<th scope="col">{{.}}</th>{{end}}</tr></thead><tbody>
{{range .Rows}}<tr><th scope="row">{{.What}}</th>{{range .Values}}<td>{{or . "–"}}</td>{{end}}</tr>
{{end}}</tbody></table></div>
{{end}}{{with .States}}<h2>Other starts</h2>
<div class="figures">{{range .}}<figure><picture><source srcset="../{{dark .Picture}}" media="(prefers-color-scheme: dark)"><img src="../{{.Picture}}" alt="{{$p.Name}}: {{.About}}" loading="lazy" width="{{.Width}}" height="{{.Height}}"></picture><figcaption>{{.About}}{{if $p.Playable}}. <a href="{{$p.PlayFrom .}}">Play from here</a>{{end}}</figcaption></figure>
{{end}}</div>
{{end}}{{if or .Facts .Told}}<h2>Numbers</h2>
<dl class="facts">
{{range .Told}}<dt>{{index . 0}}</dt><dd>{{index . 1}}</dd>
{{end}}{{range .Facts}}<dt>{{index . 0}}</dt><dd>{{index . 1}}</dd>
{{end}}{{with index .Texts "start"}}<dt>the start as a text</dt><dd><code>{{.}}</code></dd>
{{end}}</dl>
{{end}}{{if .Layers}}<h2>Positions by {{.Layer}}</h2>
<div class="panel">{{.Histogram}}</div>
<details><summary>As a table</summary><div class="scroll" role="region" tabindex="0" aria-label="Positions by {{.Layer}}"><table><thead><tr><th scope="col">{{.Layer}}</th><th scope="col">positions</th>{{if .Orbits}}<th scope="col">up to symmetry</th>{{end}}</tr></thead><tbody>
{{range .Layers}}<tr><td>{{.Layer}}</td><td>{{$p.Count .States}}</td>{{if $p.Orbits}}<td>{{$p.Count .Orbits}}</td>{{end}}</tr>
{{end}}</tbody></table></div></details>
{{end}}<h2>Source</h2>
<div class="source">{{if or .Author .Source}}<p>{{with .Author}}{{.}}. {{end}}<cite>{{.Title}}</cite>.{{with .Source}} {{.}}.{{end}}</p>{{end}}
{{with .Notes}}<p class="small">{{.}}.</p>
{{end}}<p>Cite as: <cite>{{.Cited}}</cite>, in the collection of Pagoda{{if .Address}}, <a href="{{.Address}}">{{.Address}}</a>{{else}}, <a href="{{.Link}}">{{.Page}}</a>{{end}}.</p>
<p class="small">The numbers of all puzzles are in <a href="../collection.json">collection.json</a>.</p></div>
<nav class="beside" aria-label="Puzzles">{{with .Previous}}<a rel="prev" href="{{.Link}}"><span aria-hidden="true">← </span><span class="hidden">Previous: </span>{{.Name}}</a>{{end}}{{with .Next}}<a rel="next" href="{{.Link}}"><span class="hidden">Next: </span>{{.Name}}<span aria-hidden="true"> →</span></a>{{end}}</nav>
</main>{{end}}
</body>
</html>
`))
