// What the device keeps from visit to visit. Where it does not allow that, it is kept for this visit.

const visit = {};

export function kept(name) {
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    return visit[name] ?? '';
  }
}

export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    visit[name] = text;
  }
}
