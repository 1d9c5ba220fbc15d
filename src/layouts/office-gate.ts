// Runs in the head of the office's pages before anything is painted: shows the menu of the
// logged-in role, and sends everyone else to the log-in.
import './menus.ts'
import { officeLogIn } from '../i18n/office-paths.ts'
import { splitPath } from '../i18n/paths.ts'
import { OFFICE_TOKEN_KEY } from '../rules/office-storage-keys.ts'
import { staffRole } from '../rules/roles.ts'
import { readToken } from '../rules/token.ts'

const root = document.documentElement

function savedToken(): string {
  try {
    return localStorage.getItem(OFFICE_TOKEN_KEY) ?? ''
  } catch {
    return '' // storage is forbidden here
  }
}

const payload = readToken(savedToken(), Date.now())
const role = payload && staffRole(payload)
root.dataset.officeRole = role ?? 'nobody'
if (!role && !('isOpen' in root.dataset)) {
  const { locale } = splitPath(location.pathname)
  location.replace(officeLogIn(locale, location.pathname + location.search))
}
