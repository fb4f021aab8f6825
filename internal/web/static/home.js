// Where the page lives: here, on a server. A static site has another module in place of this one, whose
// worker answers.

export const request = (path, options) => fetch(path, options);
