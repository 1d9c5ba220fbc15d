const root = document.documentElement
try {
  if (localStorage.getItem('painted')) root.dataset.painted = ''
} catch {
  // Storage may be blocked.
}
