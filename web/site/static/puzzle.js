// The page of a puzzle leads back to what the collection showed.

try {
  document.querySelector('.back').search = sessionStorage.getItem('collection') ?? '';
} catch { /* this browser keeps nothing: to all of it */ }
