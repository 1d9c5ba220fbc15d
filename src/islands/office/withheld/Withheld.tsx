import '../statement/sheet.css'
import { useState } from 'react'
import type { Withheld } from '../../../contract/office-withheld.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { PAYOUT_NOTE_MAX_LENGTH } from '../../../rules/payouts.ts'
import { inUnits, RETENTION } from '../../../rules/retention.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { readAmount } from '../../../stores/office/amount.ts'
import {
  $withheld,
  exportWithheld,
  loadWithheld,
  recordTaxPayment,
} from '../../../stores/office/withheld.ts'
import { randomId } from '../../../stores/shared/browser.ts'
import { Field } from '../../parts/Field.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { useLocale } from '../../parts/island.tsx'
import { Button } from '../parts/Button.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { Money, Reference, Words } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { SelectField } from '../parts/fields.tsx'
import { LoadedStore } from '../parts/loaded-store.tsx'
import { adminTexts } from '../parts/office-texts.ts'
import { type Column, moneyColumn, ShortTable } from '../parts/ShortTable.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'
import { useChoiceInUrl } from '../parts/use-choice-in-url.ts'

const { island, useTexts } = adminTexts(
  'office-withheld:page',
  'office-withheld:record',
  'office:confirm',
)

const OUTLINES = ['line', 'button', 'line', 'line'] as const

/** The years whose accounts are kept, this one first. */
function years(): string[] {
  const current = Number(tunisianDay(new Date()).slice(0, 4))
  return Array.from({ length: inUnits(RETENTION.accounts).count }, (_, at) => `${current - at}`)
}

function yearInAddress(): string {
  const asked = new URLSearchParams(location.search).get('year')
  const [current = '', ...earlier] = years()
  return earlier.find((year) => year === asked) ?? current
}

function WithheldPage() {
  const texts = useTexts('office-withheld:page')
  const [year, setYear] = useChoiceInUrl(yearInAddress, (chosen) => `year=${chosen}`)
  const [done, setDone] = useDone()
  return (
    <>
      <Done text={done} />
      <div className="statement-month">
        <SelectField
          name="year"
          label={texts.year}
          value={year ?? ''}
          options={year === null ? [] : years().map((value) => ({ value, text: value }))}
          onChange={({ target }) => setYear(target.value)}
        />
      </div>
      <LoadedStore store={$withheld} of={year} load={loadWithheld} texts={texts} shapes={OUTLINES}>
        {(value) => (
          <Year
            withheld={value}
            year={year ?? ''}
            onRecorded={async () => {
              setDone(texts.done)
              await loadWithheld(year ?? '')
            }}
          />
        )}
      </LoadedStore>
    </>
  )
}

type Teacher = Withheld['teachers'][number]
type Payment = Withheld['payments'][number]

interface YearProps {
  withheld: Withheld
  year: string
  onRecorded: () => Promise<void>
}

function Year({ withheld: { owed, teachers, payments }, year, onRecorded }: YearProps) {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-withheld:page')
  const { open } = useTexts('office-withheld:record')
  const [isRecording, setRecording] = useState(false)
  const { alert, attempt, isBusy } = useAttempt()
  const ofTeachers: readonly Column<Teacher>[] = [
    { head: heads.teacher, cell: ({ name }) => <Words>{name}</Words> },
    {
      head: heads.holder,
      cell: ({ holder, taxNumber }) => (
        <>
          <Words>{holder}</Words>
          {taxNumber && (
            <span className="soft small">
              {' '}
              <span className="visually-hidden">{heads.taxNumber}</span>{' '}
              <Reference>{taxNumber}</Reference>
            </span>
          )}
        </>
      ),
    },
    { head: heads.payouts, isNumber: true, cell: ({ payouts }) => payouts },
    moneyColumn(heads.amount, ({ amount }) => amount),
    moneyColumn(heads.withheld, ({ withheld }) => withheld),
    moneyColumn(heads.paid, ({ amount, withheld }) => amount - withheld),
  ]
  const ofPayments: readonly Column<Payment>[] = [
    { head: heads.day, cell: ({ paidOn }) => formatDate(locale, `${paidOn}T00:00:00Z`) },
    { head: heads.reference, cell: ({ reference }) => <Words>{reference}</Words> },
    moneyColumn(heads.sum, ({ amount }) => amount),
  ]
  return (
    <article className="sheet">
      <p>
        {texts.owed}{' '}
        <strong>
          <Money amount={owed} />
        </strong>
      </p>
      <div className="sheet__ways">
        {owed > 0 && (
          <Button kind="primary" onClick={() => setRecording(true)}>
            {open}
          </Button>
        )}
        <Button isBusy={isBusy} onClick={() => attempt(() => exportWithheld(year, locale))}>
          {!isBusy && <Icon name="download" />}
          {texts.download}
        </Button>
        {alert}
      </div>
      <section className="stack">
        <h2>{texts.teachers}</h2>
        {teachers.length === 0 ? (
          <p className="soft">{texts.none}</p>
        ) : (
          <ShortTable
            label={texts.teachers}
            columns={ofTeachers}
            rows={teachers}
            rowKey={({ id }) => id}
          />
        )}
      </section>
      <section className="stack">
        <h2>{texts.payments}</h2>
        {payments.length === 0 ? (
          <p className="soft">{texts.nonePaid}</p>
        ) : (
          <ShortTable
            label={texts.payments}
            columns={ofPayments}
            rows={payments}
            rowKey={({ id }) => id}
          />
        )}
      </section>
      {isRecording && (
        <RecordPayment owed={owed} onRecorded={onRecorded} onClose={() => setRecording(false)} />
      )}
    </article>
  )
}

interface RecordPaymentProps extends Pick<YearProps, 'onRecorded'> {
  owed: number
  onClose: () => void
}

function RecordPayment({ owed, onRecorded, onClose }: RecordPaymentProps) {
  const locale = useLocale()
  const texts = useTexts('office-withheld:record')
  const today = tunisianDay(new Date())
  const [key] = useState(randomId)
  const [typed, setTyped] = useState({ amount: '', reference: '', paidOn: today })
  const [hasSubmitted, setHasSubmitted] = useState(false)
  const most = { owed: priceText(locale, owed) }
  // 10 millimes: the ledger moves no smaller amounts.
  const amount = readAmount(typed.amount, { least: 10, most: owed })
  const reference = typed.reference.trim()
  const isDay = typed.paidOn !== '' && typed.paidOn <= today
  const field = (name: keyof typeof typed, mistake: string | false) => ({
    name,
    error: hasSubmitted && mistake ? mistake : undefined,
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped({ ...typed, [name]: target.value }),
  })
  return (
    <ConfirmDialog
      title={texts.title}
      submit={texts.submit}
      check={() => {
        setHasSubmitted(true)
        return typeof amount === 'number' && reference !== '' && isDay
      }}
      onConfirm={async () => {
        if (typeof amount !== 'number') return
        await recordTaxPayment({ amount, reference, paidOn: typed.paidOn }, key)
        await onRecorded()
      }}
      onClose={onClose}
    >
      <p className="soft">{texts.text}</p>
      <Field
        {...field('amount', typeof amount !== 'number' && fillText(texts.wrong, most))}
        label={texts.amount}
        hint={fillText(texts.hint, most)}
        inputMode="decimal"
        autoComplete="off"
        dir="ltr"
      />
      <Field
        {...field('reference', reference === '' && texts.required)}
        label={texts.reference}
        maxLength={PAYOUT_NOTE_MAX_LENGTH}
        autoComplete="off"
        dir="auto"
      />
      <Field
        {...field('paidOn', !isDay && texts.required)}
        type="date"
        label={texts.day}
        max={today}
      />
    </ConfirmDialog>
  )
}

export default island(WithheldPage)
