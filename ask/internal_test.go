package ask

import "pagoda/statespace"

// NotOver returns a space with layers without the moves that pass over a layer.
func NotOver(sp statespace.Space, of statespace.Layers, layer int) statespace.Space {
	return notOver{sp, of, layer}
}
