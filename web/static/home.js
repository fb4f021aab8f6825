// Where the page lives: here, on a server. A static site has another module in place of this one, whose
// worker answers.

// A site says where its pages are, and what its engine does.
export const site = null;

export const request = (path, options) => fetch(path, options);
