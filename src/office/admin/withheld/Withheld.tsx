import '../../kit/sheet.css'
import type { Withheld } from '../../../contract/office-withheld.ts'
import * as contract from '../../../contract/office-withheld.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Icon } from '../../../islands/parts/Icon.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import type { Language } from '../../../rules/languages.ts'
import { PAYOUT_NOTE_MAX_LENGTH } from '../../../rules/payouts.ts'
import { inUnits, RETENTION } from '../../../rules/retention.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { ask as call } from '../../kit/backend.ts'
import { saveCsv } from '../../kit/csv.ts'
import { readAmount } from '../../kit/forms/amount.ts'
import { NUMBER } from '../../kit/forms/field-table.tsx'
import { SelectField } from '../../kit/forms/fields.tsx'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resourceFor } from '../../kit/loader.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { Money, Reference, Words } from '../../kit/tables/cells.tsx'
import { type Column, moneyColumn, TableSection } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { useChoiceInUrl } from '../../kit/use-choice-in-url.ts'

const withheldIn = resourceFor(contract.getWithheld, (year: string) => ({ query: { year } }))

/** Saves a year's list as CSV. Throws an `ApiError`. */
const exportWithheld = (year: string, locale: Language) =>
  saveCsv(call(contract.exportWithheld, { query: { year, locale } }), `karras-withheld-${year}.csv`)

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
  const { message, say } = useAction()
  return (
    <>
      {message}
      <div className="statement-month">
        <SelectField
          name="year"
          label={texts.year}
          value={year ?? ''}
          options={year === null ? [] : years().map((value) => ({ value, text: value }))}
          onChange={({ target }) => setYear(target.value)}
        />
      </div>
      <LoadedStore from={withheldIn} of={year} texts={texts} shapes={OUTLINES}>
        {(value) => <Year withheld={value} year={year ?? ''} onRecorded={say} />}
      </LoadedStore>
    </>
  )
}

type Teacher = Withheld['teachers'][number]
type Payment = Withheld['payments'][number]

interface YearProps {
  withheld: Withheld
  year: string
  onRecorded: (text: string) => void
}

function Year({ withheld: { owed, teachers, payments }, year, onRecorded }: YearProps) {
  const locale = useLocale()
  const { columns: heads, ...texts } = useTexts('office-withheld:page')
  const record = useTexts('office-withheld:record')
  const { ask, dialog } = useQuestions(onRecorded)
  const { alert, attempt, isBusy } = useAction()
  const askForPayment = () => {
    const today = tunisianDay(new Date())
    const most = { owed: priceText(locale, owed) }
    // 10 millimes: the ledger moves no smaller amounts.
    const amountIn = (text: string) => readAmount(text, { least: 10, most: owed })
    ask({
      title: record.title,
      submit: record.submit,
      about: <p className="soft">{record.text}</p>,
      fields: [
        {
          ...NUMBER,
          name: 'amount',
          label: record.amount,
          hint: fillText(record.hint, most),
          check: (text) => typeof amountIn(text) !== 'number' && fillText(record.wrong, most),
        },
        {
          name: 'reference',
          label: record.reference,
          maxLength: PAYOUT_NOTE_MAX_LENGTH,
          check: (text) => text === '' && record.required,
        },
        {
          name: 'paidOn',
          label: record.day,
          type: 'date',
          max: today,
          initial: today,
          check: (text) => (text === '' || text > today) && record.required,
        },
      ],
      send: async (given, key) => {
        const body = { ...given, amount: Number(amountIn(given.amount)) }
        await call(contract.recordTaxPayment, { body }, { idempotencyKey: key })
        await withheldIn.load(year)
        return texts.done
      },
    })
  }
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
    <article className="sheet stack gap-5">
      <p>
        {texts.owed}{' '}
        <strong>
          <Money amount={owed} />
        </strong>
      </p>
      <div className="sheet__ways cluster items-stretch gap-3">
        {owed > 0 && (
          <Button kind="primary" onClick={askForPayment}>
            {record.open}
          </Button>
        )}
        <Button isBusy={isBusy} onClick={() => attempt(() => exportWithheld(year, locale))}>
          {!isBusy && <Icon name="download" />}
          {texts.download}
        </Button>
        {alert}
      </div>
      <TableSection label={texts.teachers} columns={ofTeachers} rows={teachers} none={texts.none} />
      <TableSection
        label={texts.payments}
        columns={ofPayments}
        rows={payments}
        none={texts.nonePaid}
      />
      {dialog}
    </article>
  )
}

export default island(WithheldPage)
