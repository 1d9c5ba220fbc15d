// Runs in the head of the office's pages before anything is painted: shows the menu of the
// logged-in role, and sends everyone else to the log-in.
import { officeLogIn } from '../i18n/office-paths.ts'
import { splitPath } from '../i18n/paths.ts'
import { staffRole } from '../rules/roles.ts'
import { CLOCK_KEY, OFFICE_TOKEN_KEY } from '../rules/storage-keys.ts'
import { readToken, serverTime } from '../rules/token.ts'

const root = document.documentElement

function saved(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return '' // storage is forbidden here
  }
}

const payload = readToken(saved(OFFICE_TOKEN_KEY), serverTime(Date.now(), saved(CLOCK_KEY)))
const role = payload && staffRole(payload)
root.dataset.officeRole = role ?? 'nobody'
if (!role && !('isOpen' in root.dataset)) {
  const { locale } = splitPath(location.pathname)
  location.replace(officeLogIn(locale, location.pathname + location.search))
}
