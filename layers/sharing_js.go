package layers

// Programs in a browser share no files, and are smaller without these stores.
var sharing kindsToShare
