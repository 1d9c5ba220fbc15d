// Part of the page's script: opens the questions and notices that `components/Questions.astro` has
// put at the end of the page.
import { bareAmount, fillText } from '../i18n/format.ts'
import type { Locale } from '../i18n/locales.ts'
import { accountAddress } from '../islands/parts/addresses.ts'
import { continueAnonymously } from '../stores/purchase/shopping.ts'
import { $dialog, callOverlays, closeDialog, type Dialog } from '../stores/shared/dialogs.ts'
import { $notice, dismissNotice, type Notice } from '../stores/shared/notices.ts'

const locale = document.documentElement.lang as Locale
const questions = document.querySelectorAll<HTMLDialogElement>('[data-question]')

function ask(asked: Dialog | null): void {
  for (const question of questions) {
    if (asked && question.dataset.question === asked.kind) open(question, asked)
    else question.close()
  }
  // The other dialogs are React's.
  const isHere = [...questions].some(({ open }) => open)
  if (asked && !isHere) callOverlays().catch(closeDialog)
}

function open(question: HTMLDialogElement, { item }: Dialog): void {
  if (question.open) return
  const logIn = question.querySelector<HTMLAnchorElement>('a[data-log-in]')
  if (logIn) logIn.href = accountAddress(locale)
  const added = question.querySelector<HTMLElement>('[data-added]')
  if (added) {
    added.textContent = fillText(added.dataset.added ?? '', { title: `\u2068${item?.title}\u2069` })
  }
  question.showModal()
}

for (const question of questions) {
  // After Escape, a press beside it or on one of its buttons.
  question.addEventListener('close', () => {
    if ($dialog.get()?.kind === question.dataset.question) closeDialog()
  })
  question.addEventListener('click', ({ target, detail }) => {
    // Not the second click of a double click on the control that asked.
    if (target === question && detail < 2) question.close()
  })
  question.querySelector('[data-continue]')?.addEventListener('click', continueAnonymously)
}

function show(notice: Notice | null): void {
  for (const toast of document.querySelectorAll<HTMLElement>('[data-toast]')) {
    toast.hidden = toast.dataset.toast !== notice?.kind
    if (!notice || toast.hidden) continue
    if (notice.kind === 'added') writeAdded(toast, notice)
    else {
      for (const problem of toast.querySelectorAll<HTMLElement>('[data-problem]')) {
        problem.hidden = problem.dataset.problem !== notice.code
      }
    }
  }
}

function writeAdded(toast: HTMLElement, { title, price }: Notice & { kind: 'added' }): void {
  const name = toast.querySelector('[dir]')
  if (name) name.textContent = title
  const amount = toast.querySelector<HTMLElement>('.price')
  if (!amount) return
  amount.textContent = price === 0 ? (amount.dataset.free ?? '') : bareAmount(locale, price)
  amount.classList.toggle('price--free', price === 0)
}

for (const link of document.querySelectorAll('[data-toast] a')) {
  link.addEventListener('click', (event) => {
    // The notice may come below the finger between the two clicks of a double click.
    if ((event as MouseEvent).detail > 1) event.preventDefault()
  })
}
for (const button of document.querySelectorAll('[data-dismiss]')) {
  button.addEventListener('click', dismissNotice)
}

$dialog.subscribe(ask)
$notice.subscribe(show)
