import './payouts.css'
import { useStore } from '@nanostores/react'
import type { EarningsSummary } from '../../../contract/earnings.ts'
import type { OwnBankAccount, Payout } from '../../../contract/payouts.ts'
import * as payouts from '../../../contract/payouts.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, isolate, limitText, priceParts, priceText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { isBlank, plainName } from '../../../rules/pasted-text.ts'
import type { PayoutState } from '../../../rules/payouts.ts'
import { isRib, readableRib, ribDigits } from '../../../rules/rib.ts'
import { readTaxNumber } from '../../../rules/tax-number.ts'
import { NAME_MAX_LENGTH } from '../../../rules/validators.ts'
import type { Values } from '../../../stores/shared/form.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { $staff } from '../../frame/staff.ts'
import { ask as call } from '../../kit/backend.ts'
import { momentText } from '../../kit/dates.ts'
import { readAmount } from '../../kit/forms/amount.ts'
import { type FieldRow, NUMBER, useFieldTable } from '../../kit/forms/field-table.tsx'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { SaveState } from '../../kit/forms/SaveState.tsx'
import { useOfficeForm } from '../../kit/forms/use-office-form.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resource } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { Moment, Money, PAYOUT_MARKS, StateMark, Words } from '../../kit/tables/cells.tsx'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { actsColumn, type Column, withheldColumn } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'
import { useAction } from '../../kit/use-action.tsx'
import { ownEarnings } from '../earnings/earnings.ts'

const payoutTable = tableOf(payouts.listPayouts)

/** The bank account for payouts, and how it is protected. */
const bankAccount = resource(payouts.getBankAccount)

/** Shows a payout that was requested or cancelled, and what can be paid out since. */
function showPayout(payout: Payout): void {
  payoutTable.put(payout)
  void ownEarnings.refresh()
}

const { island, useTexts } = officeTexts(
  'office-earnings:payouts',
  'office-earnings:account',
  'office-access:fields',
  'office:table',
  'office:form',
  'office:confirm',
)

const OUTLINES = ['line', 'button', 'button'] as const

function Payouts() {
  const texts = useTexts('office-earnings:payouts')
  const account = useStore(bankAccount.$state, { ssr: notLoaded })
  const { message, say } = useAction()
  return (
    <>
      {message}
      <LoadedStore from={ownEarnings} texts={texts} shapes={OUTLINES}>
        {(value) => (
          <AskForPayout
            earnings={value}
            own={account.phase === 'ready' ? account.value : undefined}
            onDone={say}
          />
        )}
      </LoadedStore>
      <PayoutList onCancelled={say} />
      <BankAccountSection />
    </>
  )
}

interface AskForPayoutProps {
  earnings: EarningsSummary
  /** undefined while it is loading. */
  own: OwnBankAccount | undefined
  onDone: (text: string) => void
}

/** The available amount and the request form, or the reason why no request is possible now. */
function AskForPayout({ earnings, own, onDone }: AskForPayoutProps) {
  const locale = useLocale()
  const { ask: texts } = useTexts('office-earnings:payouts')
  const { available, requested, terms } = earnings
  const minimum = limitText(locale, terms.payoutMinimum)
  const staff = useStore($staff, { ssr: notLoaded })
  const reason = () => {
    if (staff.phase === 'ready' && !staff.value.isApproved) return texts.unapproved
    if (requested > 0) return fillText(texts.open, { amount: priceText(locale, requested) })
    if (available < terms.payoutMinimum) return fillText(texts.tooLittle, { minimum })
    if (own?.account === null) return texts.account
    if (!own?.payableFrom) return null
    return fillText(texts.new, { date: isolate(momentText(locale, own.payableFrom)) })
  }
  const obstacle = reason()
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <p className="ask__available">
        {texts.available}{' '}
        <strong>
          <Money amount={available} />
        </strong>
      </p>
      {obstacle ? (
        <p>{obstacle}</p>
      ) : (
        own && <AmountForm earnings={earnings} own={own} onDone={onDone} />
      )}
    </section>
  )
}

function AmountForm({ earnings, own, onDone }: AskForPayoutProps & { own: OwnBankAccount }) {
  const locale = useLocale()
  const { ask: texts } = useTexts('office-earnings:payouts')
  const { ask, dialog } = useQuestions(onDone)
  const proofFields = useProofFields(own.asksCode)
  const { available, terms } = earnings
  const limits = {
    minimum: limitText(locale, terms.payoutMinimum),
    available: priceText(locale, available),
  }
  const amountIn = (text: string) =>
    readAmount(text, { least: terms.payoutMinimum, most: available })
  const table = useFieldTable([
    {
      name: 'amount',
      label: texts.amount,
      ...NUMBER,
      hint: fillText(texts.hint, limits),
      initial: priceParts(locale, available).number,
      check: (text) => {
        const amount = amountIn(text)
        return typeof amount !== 'number' && fillText(texts[amount], limits)
      },
    },
  ])

  const next = (account: NonNullable<OwnBankAccount['account']>) => {
    const amount = amountIn(table.values.amount)
    if (!table.check() || typeof amount !== 'number') return
    ask({
      title: texts.title,
      submit: fillText(texts.submit, { amount: priceText(locale, amount) }),
      money: { amount, to: `${account.holder} · \u2066${readableRib(account.rib)}\u2069` },
      text: texts.text,
      fields: proofFields,
      send: async (proof, key) => {
        const body = { amount, ...proof }
        showPayout(await call(payouts.requestPayout, { body }, { idempotencyKey: key }))
        return texts.done
      },
    })
  }
  return (
    <>
      <form
        className="ask stack gap-3"
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (own.account) next(own.account)
        }}
      >
        {table.view}
        <Button type="submit" kind="primary">
          {texts.next}
        </Button>
      </form>
      {terms.withholding > 0 && (
        <p className="soft">{fillText(texts.withheld, { percent: terms.withholding })}</p>
      )}
      {dialog}
    </>
  )
}

/** The fields with which the teacher shows that nobody else is at the screen; nothing keeps them. */
function useProofFields(asksCode: boolean): readonly FieldRow<'password' | 'code'>[] {
  const { errors, show, hide, ...texts } = useTexts('office-access:fields')
  const check = (text: string) => text === '' && errors.required
  return [
    {
      name: 'password',
      label: texts.password,
      secret: { show, hide },
      autoComplete: 'current-password',
      check,
    },
    {
      name: 'code',
      label: texts.code,
      autoComplete: 'one-time-code',
      inputMode: 'numeric',
      spellCheck: false,
      dir: 'ltr',
      isShown: () => asksCode,
      check,
    },
  ]
}

function PayoutList({ onCancelled }: { onCancelled: (text: string) => void }) {
  const locale = useLocale()
  const { list: texts } = useTexts('office-earnings:payouts')
  const { alert, attempt, isBusy } = useAction()
  const cancel = ({ id }: Payout) =>
    attempt(async () => {
      onCancelled('')
      showPayout(await call(payouts.cancelPayout, { params: { id } }))
      onCancelled(texts.cancelled)
    }, payoutTable.refresh)
  const stateText = (state: PayoutState, decidedAt: string | null) =>
    fillText(texts.states[state], { date: decidedAt ? formatDate(locale, decidedAt) : '' })
  const columns: readonly Column<Payout>[] = [
    { head: texts.requestedAt, cell: ({ requestedAt }) => <Moment at={requestedAt} /> },
    withheldColumn(texts.amount, texts.withheld),
    {
      head: texts.state,
      cell: ({ state, decidedAt }) => (
        <StateMark kind={PAYOUT_MARKS[state]} text={stateText(state, decidedAt)} />
      ),
    },
    {
      head: texts.rib,
      cell: ({ rib }) => (
        <bdi className="rib" dir="ltr">
          {readableRib(rib)}
        </bdi>
      ),
    },
    {
      head: texts.more,
      cell: ({ reference, reason }) => {
        const note = reason ?? reference
        return note ? <Words>{note}</Words> : '–'
      },
    },
    actsColumn(texts.actions, (payout) => [
      payout.state === 'requested' && { text: texts.cancel, isBusy, act: () => cancel(payout) },
    ]),
  ]
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      {alert}
      <OfficeTable table={payoutTable} columns={columns} texts={texts} />
    </section>
  )
}

const ACCOUNT_OUTLINES = ['button', 'button'] as const
const FIELDS = ['holder', 'rib', 'taxNumber'] as const
type FieldName = (typeof FIELDS)[number]

function BankAccountSection() {
  const texts = useTexts('office-earnings:account')
  return (
    <section className="stack">
      <h2>{texts.heading}</h2>
      <p className="soft">{texts.text}</p>
      <LoadedStore from={bankAccount} texts={texts} shapes={ACCOUNT_OUTLINES}>
        {(value) => <AccountForm own={value} />}
      </LoadedStore>
    </section>
  )
}

function AccountForm({ own: { account, asksCode } }: { own: OwnBankAccount }) {
  const texts = useTexts('office-earnings:account')
  const proof = useFieldTable(useProofFields(asksCode))
  const form = useOfficeForm<FieldName>({
    fields: FIELDS,
    initial: {
      holder: account?.holder ?? '',
      rib: account ? readableRib(account.rib) : '',
      taxNumber: account?.taxNumber ?? '',
    },
    keepAs: 'bank-account',
    check: ({ holder, rib, taxNumber }) => ({
      ...(isBlank(holder) && { holder: 'required' }),
      ...(isBlank(rib) ? { rib: 'required' } : !isRib(rib) && { rib: 'pattern' }),
      ...(!isBlank(taxNumber) && !readTaxNumber(taxNumber) && { taxNumber: 'pattern' }),
    }),
    save: async ({ holder, rib, taxNumber }: Values<FieldName>) => {
      const values = {
        holder: plainName(holder),
        rib: ribDigits(rib),
        taxNumber: readTaxNumber(taxNumber) ?? '',
      }
      const body = { ...values, ...proof.values }
      bankAccount.show(await call(payouts.setBankAccount, { body }))
      proof.clear()
    },
    sentence: (field, mistake) =>
      mistake === 'required' || field === 'taxNumber'
        ? texts.mistakes[field]
        : texts.mistakes[mistake === 'maxLength' ? 'maxLength' : 'pattern'],
  })
  // Before the teacher has entered an account, the initial state "saved" would be wrong.
  const showsState = account !== null || form.saveState.state.phase !== 'saved'
  return (
    <form
      className="account-form stack"
      {...form.formProps}
      onSubmit={(event) => {
        if (proof.check()) void form.formProps.onSubmit(event)
        else event.preventDefault()
      }}
    >
      {form.notices}
      <Field
        label={texts.holder}
        hint={texts.holderHint}
        autoComplete="name"
        dir="auto"
        maxLength={NAME_MAX_LENGTH}
        {...form.fieldOf('holder')}
      />
      <Field
        label={texts.rib}
        hint={texts.ribHint}
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
        {...form.fieldOf('rib')}
      />
      <Field
        label={texts.taxNumber}
        hint={texts.taxHint}
        autoComplete="off"
        autoCapitalize="characters"
        dir="ltr"
        {...form.fieldOf('taxNumber')}
      />
      <p className="soft">{texts.proofHint}</p>
      {proof.view}
      <div className="cluster gap-3">
        <Button type="submit" kind="primary" isBusy={form.saveState.state.phase === 'saving'}>
          {texts.submit}
        </Button>
        {showsState && <SaveState {...form.saveState} onRetry={form.retry} />}
      </div>
    </form>
  )
}

export default island(Payouts)
