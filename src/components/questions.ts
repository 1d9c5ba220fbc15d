import { accountAddress } from '../i18n/addresses.ts'
import { fillText, isolate } from '../i18n/format.ts'
import { continueAnonymously } from '../stores/purchase/shopping.ts'
import { $dialog, callOverlays, closeDialog, type Dialog } from '../stores/shared/dialogs.ts'
import { locale, Painted } from './painted.ts'

/** Opens the question that is asked, or calls the overlays, which have the other dialogs. */
class AskedQuestions extends Painted {
  readonly stores = [$dialog]
  readonly #dialogs = this.querySelectorAll('dialog')

  override connectedCallback(): void {
    super.connectedCallback()
    for (const dialog of this.#dialogs) {
      // After Escape, a press beside it or on one of its buttons.
      dialog.onclose = () => {
        // The event comes late: the question may have been asked again meanwhile.
        if (!dialog.open && $dialog.get()?.kind === dialog.dataset.question) closeDialog()
      }
      dialog.onclick = ({ target, detail }) => {
        // Not the second click of a double click on the control that asked.
        if (target === dialog && detail < 2) dialog.close()
        if ((target as Element).matches('[data-continue]')) continueAnonymously()
      }
    }
  }

  paint(): void {
    const asked = $dialog.get()
    let isHere = false
    for (const dialog of this.#dialogs) {
      const isAsked = dialog.dataset.question === asked?.kind
      isHere ||= isAsked
      if (!isAsked) dialog.close()
      else if (!dialog.open) open(dialog, asked)
    }
    if (asked && !isHere) callOverlays().catch(closeDialog)
  }
}

customElements.define('asked-questions', AskedQuestions)

function open(dialog: HTMLDialogElement, asked: Dialog | null): void {
  for (const logIn of dialog.querySelectorAll('a')) logIn.href = accountAddress(locale)
  const added = dialog.querySelector<HTMLElement>('[data-added]')
  if (added) {
    added.textContent = fillText(added.dataset.added ?? '', {
      title: isolate(`${asked?.item?.title}`),
    })
  }
  dialog.showModal()
}
