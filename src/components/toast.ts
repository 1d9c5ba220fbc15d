import { bareAmount } from '../i18n/format.ts'
import { $notice, dismissNotice, type Notice } from '../stores/shared/notices.ts'
import { locale, Painted } from './painted.ts'

/** Shows the current notice, and announces it. */
class ToastNotice extends Painted {
  readonly stores = [$notice]

  override connectedCallback(): void {
    super.connectedCallback()
    this.onclick = (event) => {
      if ((event.target as Element).closest('button')) dismissNotice()
      // The notice may come below the finger between the two clicks of a double click.
      else if (event.detail > 1) event.preventDefault()
    }
  }

  paint(): void {
    const notice = $notice.get()
    for (const toast of this.children as HTMLCollectionOf<HTMLElement>) {
      toast.hidden = toast.dataset.toast !== notice?.kind
    }
    if (notice?.kind === 'added') this.#writeAdded(notice)
    else if (notice) {
      for (const problem of this.querySelectorAll<HTMLElement>('[data-problem]')) {
        problem.hidden = problem.dataset.problem !== notice.code
      }
    }
  }

  #writeAdded({ title, price }: Notice & { kind: 'added' }): void {
    const name = this.querySelector('[dir]') as HTMLElement
    const amount = this.querySelector('.price') as HTMLElement
    name.textContent = title
    amount.textContent = price === 0 ? (amount.dataset.free ?? '') : bareAmount(locale, price)
    amount.classList.toggle('price--free', price === 0)
  }
}

customElements.define('toast-notice', ToastNotice)
