// Runs right after the office's menu, before it is painted: folds its groups as this browser left
// them. The group of the current page stays open.
import { OFFICE_MENU_KEY } from '../rules/storage-keys.ts'

/** Whether each group that was ever folded or opened is open; none if storage is forbidden here. */
function readFolds(): Record<string, unknown> {
  try {
    return { ...JSON.parse(localStorage.getItem(OFFICE_MENU_KEY) ?? '') }
  } catch {
    return {}
  }
}

const folds = readFolds()
for (const group of document.querySelectorAll<HTMLDetailsElement>('details.office-menu__group')) {
  const name = group.dataset.group ?? ''
  if (name in folds && !group.querySelector('[aria-current]')) group.open = folds[name] === true
  group.firstElementChild?.addEventListener('click', () => {
    // The press folds or opens it only after this.
    const now = JSON.stringify({ ...readFolds(), [name]: !group.open })
    try {
      localStorage.setItem(OFFICE_MENU_KEY, now)
    } catch {
      // The next page starts anew.
    }
  })
}
