import { pathIn } from '../i18n/paths.ts'
import { logOut } from '../stores/session/log-in.ts'
import { settle } from '../stores/shared/settle.ts'
import { locale } from './painted.ts'

/** How long the log-out waits for its call (ms). */
const LOG_OUT_MS = 1500

class LogOut extends HTMLElement {
  connectedCallback(): void {
    const button = this.firstElementChild as HTMLElement
    button.onclick = async () => {
      if (button.ariaBusy) return
      button.ariaBusy = 'true'
      await settle([logOut()], LOG_OUT_MS)
      location.assign(pathIn(locale, '/'))
    }
  }
}

customElements.define('log-out', LogOut)
