import { accountAddress } from '../i18n/addresses.ts'
import { FOLLOW_ASKED_KEY } from '../rules/storage-keys.ts'
import { $session } from '../stores/session/session.ts'
import { $following } from '../stores/user-data/user-data.ts'
import { locale, Painted } from './painted.ts'

/** Follows what its key names, also for a visitor who had to log in first. */
class FollowThis extends Painted {
  readonly stores = [$following]
  readonly #key = this.dataset.key as string
  readonly #button = this.querySelector('button') as HTMLButtonElement
  readonly #text = this.#button.textContent

  override connectedCallback(): void {
    super.connectedCallback()
    this.#button.onclick = () => void this.#press()
    try {
      if (!$session.get() || sessionStorage.getItem(FOLLOW_ASKED_KEY) !== this.#key) return
      sessionStorage.removeItem(FOLLOW_ASKED_KEY)
      if (!this.#isFollowed) void this.#press()
    } catch {
      // Storage is forbidden.
    }
  }

  get #isFollowed(): boolean {
    return $following.get()?.keys.includes(this.#key) ?? false
  }

  paint(): void {
    this.#button.textContent = this.#isFollowed ? (this.dataset.stop as string) : this.#text
  }

  async #press(): Promise<void> {
    if (this.#button.ariaBusy) return
    if (!$session.get()) {
      try {
        sessionStorage.setItem(FOLLOW_ASKED_KEY, this.#key)
      } catch {}
      return location.assign(accountAddress(locale))
    }
    this.#button.ariaBusy = 'true'
    const said = this.querySelector('[role]') as HTMLElement
    said.textContent = ''
    let outcome = 'failed'
    try {
      const { setFollowed } = await import('../stores/following/following.ts')
      outcome = await setFollowed(this.#key, !this.#isFollowed)
    } catch {
      // The script could not be loaded.
    }
    this.#button.ariaBusy = null
    said.textContent = this.dataset[outcome] ?? ''
  }
}

customElements.define('follow-this', FollowThis)
