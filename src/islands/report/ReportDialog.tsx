import '../../parts/field.css'
import '../../parts/select.css'
import { useStore } from '@nanostores/react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import { fillText } from '../../i18n/format.ts'
import type { Arabic } from '../../i18n/texts.ts'
import { REPORT_REASONS, REPORT_WORDS_MAX_LENGTH, type ReportReason } from '../../rules/reports.ts'
import { email as checkEmail } from '../../rules/validators.ts'
import { drafts } from '../../stores/session/drafts.ts'
import { $session } from '../../stores/session/session.ts'
import { sendReport } from '../../stores/shared/report.ts'
import { Button } from '../parts/Button.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { Field, Labelled } from '../parts/Field.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { useDraft } from '../parts/use-draft.ts'

/** The name of its draft, by which `Report.tsx` opens it again. */
const FORM = 'report'

export type ReportTexts = Arabic['report-dialog']

interface Props {
  documentId: number
  texts: ReportTexts
  onClose: () => void
}

type Mistakes = Partial<Record<'reason' | 'words' | 'email', string>>

/** Asks what is wrong; what was typed stays until it has arrived or the dialog is closed. */
export function ReportDialog({ documentId, texts, onClose }: Props) {
  const locale = useLocale()
  const id = useId()
  const isLoggedIn = useStore($session) !== null
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const [state, setState] = useState<'typing' | 'busy' | 'sent'>('typing')
  const [problem, setProblem] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useDraft(drafts, form, () => FORM)

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (state === 'busy') return
    const form = new FormData(event.currentTarget)
    const typed = (name: string) => String(form.get(name) ?? '').trim()
    const [reason, words, email] = [typed('reason'), typed('words'), typed('email')]
    const { mistakes: wrong } = texts
    const found: Mistakes = {
      ...(reason === '' && { reason: wrong.required }),
      ...(words === '' && { words: wrong.wordsRequired }),
      ...([...words].length > REPORT_WORDS_MAX_LENGTH && {
        words: fillText(wrong.tooLong, { most: REPORT_WORDS_MAX_LENGTH }),
      }),
      ...(email !== '' && checkEmail(email) !== null && { email: wrong.emailWrong }),
    }
    setMistakes(found)
    setProblem('')
    const [first] = Object.keys(found)
    if (first) return event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    setState('busy')
    const report = { reason: reason as ReportReason, words, email: email || null }
    const code = await sendReport(documentId, report, locale)
    if (code === null) drafts.forget(FORM)
    setState(code === null ? 'sent' : 'typing')
    if (code === 'too_many_requests') setProblem(texts.tooMany)
    else if (code === 'document_not_found') setProblem(texts.gone)
    else if (code !== null) setProblem(texts.failed)
  }

  if (state === 'sent') {
    return (
      <Dialog title={texts.title} closeText={texts.close} onClose={onClose}>
        <Message kind="success" text={texts.sent} />
      </Dialog>
    )
  }
  const isBusy = state === 'busy'
  return (
    <Dialog
      title={texts.title}
      closeText={texts.close}
      onClose={onClose}
      isBusy={isBusy}
      foot={
        <>
          <Button type="submit" form={id} kind="primary" isBusy={isBusy}>
            {texts.send}
          </Button>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </>
      }
    >
      <p>{texts.intro}</p>
      <form
        ref={form}
        id={id}
        className="stack"
        noValidate
        onSubmit={send}
        onChange={() => setMistakes({})}
      >
        <Labelled
          label={texts.reason}
          error={mistakes.reason}
          control={(attributes) => (
            <select name="reason" required defaultValue="" {...attributes}>
              <option value="">{texts.choose}</option>
              {REPORT_REASONS.map((reason) => (
                <option key={reason} value={reason}>
                  {texts.reasons[reason]}
                </option>
              ))}
            </select>
          )}
        />
        <Labelled
          label={texts.words}
          hint={texts.hint}
          error={mistakes.words}
          control={(attributes) => (
            <textarea name="words" dir="auto" rows={4} required {...attributes} />
          )}
        />
        {isLoggedIn ? (
          <p className="soft">{texts.account}</p>
        ) : (
          <>
            <Field
              name="email"
              type="email"
              dir="ltr"
              autoComplete="email"
              label={texts.email}
              hint={texts.emailHint}
              error={mistakes.email}
            />
            <p className="small">
              <a className="link" href={accountAddress(locale)}>
                {texts.logIn}
              </a>
            </p>
          </>
        )}
        {problem && <Message kind="error" text={problem} />}
      </form>
    </Dialog>
  )
}
