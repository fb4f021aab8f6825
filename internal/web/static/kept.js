// What the device keeps from visit to visit, where it allows that.

export function kept(name) {
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch { /* then it is for this visit */ }
}
