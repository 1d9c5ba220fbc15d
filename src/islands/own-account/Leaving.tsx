import '../parts/choices.css'
import './leaving.css'
import { useEffect } from 'react'
import type { OwnAccount } from '../../contract/own-account.ts'
import { formatDate } from '../../i18n/dates.ts'
import { formatSize } from '../../i18n/file-size.ts'
import { fillText, isolate, priceText } from '../../i18n/format.ts'
import { SECOND_MS } from '../../rules/durations.ts'
import { DELETION_DAYS } from '../../rules/own-data.ts'
import { type Leaving, leavingForm, type Proof } from '../../stores/shared/leaving.ts'
import { Button } from '../parts/Button.tsx'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { Field, PasswordField } from '../parts/Field.tsx'
import { useLocale, useTexts } from '../parts/island.tsx'
import { ErrorAlert, useSaid } from '../parts/Message.tsx'
import { Section } from '../parts/Section.tsx'
import { useChange } from '../parts/use-change.tsx'
import { useForm } from '../parts/use-form.ts'

/** How often the page looks whether the file is ready. */
const LOOK_EVERY_MS = 10 * SECOND_MS

/** The data to take along: ask for the file, wait for it, download it. */
export function TakeAlong({ pack, leaving }: { pack: OwnAccount['export']; leaving: Leaving }) {
  const locale = useLocale()
  const texts = useTexts('own-account:leaving').pack
  const { isBusy, change, alert } = useChange()
  const state = pack?.state ?? 'none'
  useEffect(() => {
    if (state !== 'making') return
    const timer = setInterval(leaving.refresh, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [state, leaving])
  const isReady = pack?.state === 'ready' && pack.until !== null
  const ready =
    isReady &&
    fillText(texts.ready, {
      date: isolate(formatDate(locale, pack.until ?? '')),
      size: isolate(formatSize(locale, pack.size ?? 0)),
    })
  const text = ready || (state === 'making' || state === 'failed' ? texts[state] : '')
  // When the file is ready, its owner may be reading elsewhere on the page.
  const said = useSaid<HTMLParagraphElement>(state === 'making' ? text : '')
  return (
    <Section name="data" title={texts.title}>
      <p className="soft">{texts.text}</p>
      <p role="status" ref={said}>
        {text}
      </p>
      {alert}
      {state !== 'making' && (
        <p>
          <Button isBusy={isBusy} onClick={() => change(isReady ? leaving.download : leaving.pack)}>
            {isReady ? texts.download : texts.submit}
          </Button>
        </p>
      )}
    </Section>
  )
}

/** Says that the account is going to be deleted, and when; keeps it. */
export function ToBeDeleted({
  deletion,
  leaving,
}: {
  deletion: OwnAccount['deletion']
  leaving: Leaving
}) {
  const locale = useLocale()
  const texts = useTexts('own-account:leaving').remove
  const { isBusy, change, alert } = useChange()
  // Also what the form far below, which asks for it, leads to.
  const said = useSaid(deletion?.dueAt)
  if (!deletion) return alert
  return (
    <div className="alert alert--error stack" role="status" ref={said}>
      <p>
        <strong>
          {fillText(texts.due, { date: isolate(formatDate(locale, deletion.dueAt)) })}
        </strong>{' '}
        {deletion.account && texts.waitsForMoney}
      </p>
      {alert}
      <p>
        <Button kind="primary" isBusy={isBusy} onClick={() => change(leaving.keep, texts.kept)}>
          {texts.keep}
        </Button>
      </p>
    </div>
  )
}

interface DeleteProps {
  account: Pick<OwnAccount, 'balance' | 'deletion'>
  leaving: Leaving
  /** None for an administrator, who acts for the owner. */
  proof: readonly Proof[]
}

/** Asks for the deletion of the account, after saying what is lost and what is kept. */
export function Delete({ account, leaving, proof }: DeleteProps) {
  const texts = useTexts('own-account:leaving').remove
  // Money that has come since, of which nobody has said where it goes, is asked about again.
  const { deletion, balance } = account
  if (deletion && (!balance || deletion.account || deletion.givesUpMoney)) return null
  return (
    <Section name="delete" title={texts.title}>
      <details>
        <summary className="button">{proof.length > 0 ? texts.open : texts.byOffice.open}</summary>
        <div className="leaving measure stack">
          <p>{fillText(texts.days, { count: DELETION_DAYS })}</p>
          <ul className="leaving__lost">
            {texts.lost.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <DeleteForm balance={balance} leaving={leaving} proof={proof} />
        </div>
      </details>
    </Section>
  )
}

interface FormProps {
  balance: OwnAccount['balance']
  leaving: Leaving
  proof: readonly Proof[]
}

function DeleteForm({ balance, leaving, proof }: FormProps) {
  const locale = useLocale()
  const texts = useTexts('own-account:leaving').remove
  const { show, hide } = useTexts('account:login')
  const errors = useErrorTexts()
  const choices = { ...texts.choices, ...(proof.length === 0 && texts.byOffice) }
  const { formProps, values, mistakes, problem, isBusy } = useForm({
    make: () => leavingForm(balance, proof),
    send: leaving.remove,
  })
  const mistakeOf = (field: keyof typeof mistakes) => {
    const mistake = mistakes[field]
    return mistake && texts.mistakes[mistake]
  }
  return (
    <form className="stack" {...formProps}>
      {balance !== null && balance > 0 && (
        <fieldset className="stack">
          <legend>{fillText(texts.money, { amount: priceText(locale, balance) })}</legend>
          {(['return', 'give-up'] as const).map((choice) => (
            <label className="choice-card" key={choice}>
              <input type="radio" name="money" value={choice} />
              {choices[choice]}
            </label>
          ))}
          {mistakes.money && <p className="field__error">{mistakeOf('money')}</p>}
          {values.money === 'return' && (
            <>
              <Field
                name="holder"
                label={texts.holder}
                error={mistakeOf('holder')}
                autoComplete="name"
                dir="auto"
              />
              <Field
                name="rib"
                label={texts.rib}
                error={mistakeOf('rib')}
                inputMode="numeric"
                autoComplete="off"
                dir="ltr"
              />
            </>
          )}
          {proof.length === 0 && values.money === 'give-up' && (
            <Field
              name="reason"
              label={texts.byOffice.reason}
              error={mistakeOf('reason')}
              autoComplete="off"
              dir="auto"
            />
          )}
        </fieldset>
      )}
      {proof.includes('password') && (
        <PasswordField
          name="password"
          label={texts.password}
          error={mistakeOf('password')}
          autoComplete="current-password"
          show={show}
          hide={hide}
        />
      )}
      {proof.includes('code') && (
        <Field
          name="code"
          label={texts.code}
          error={mistakeOf('code')}
          autoComplete="one-time-code"
          dir="ltr"
        />
      )}
      {problem && <ErrorAlert text={problemText(problem, errors)} />}
      <p>
        <Button type="submit" kind="danger" isBusy={isBusy}>
          {texts.submit}
        </Button>
      </p>
    </form>
  )
}
