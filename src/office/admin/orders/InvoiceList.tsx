import { useState } from 'react'
import type { ShopInvoice } from '../../../contract/invoices.ts'
import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { plainSigns } from '../../../rules/pasted-text.ts'
import { tunisianDay } from '../../../rules/tunisia-time.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment, Words } from '../../kit/tables/cells.tsx'
import { OfficeTable } from '../../kit/tables/OfficeTable.tsx'
import { actsColumn, type Column, moneyColumn } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { downloadInvoice, exportInvoices, invoiceTable } from './orders.ts'

const { island, useTexts } = adminTexts('office-money:invoices', 'invoice:page', 'office:table')

function InvoiceList() {
  const locale = useLocale()
  const texts = useTexts('office-money:invoices')
  const { kinds, download } = useTexts('invoice:page')
  const { alert, attempt } = useAction()
  const columns: readonly Column<ShopInvoice>[] = [
    {
      head: texts.number,
      cell: ({ kind, number }) => fillText(kinds[kind], { number: `\u2066${number}\u2069` }),
    },
    { head: texts.buyer, cell: ({ buyer }) => <Words>{buyer}</Words> },
    {
      head: texts.order,
      cell: ({ orderId }) => (
        <a href={`${pathIn(locale, '/office/order')}?id=${orderId}`}>
          <bdi>#{orderId}</bdi>
        </a>
      ),
    },
    { head: texts.date, cell: ({ issuedAt }) => <Moment at={issuedAt} /> },
    moneyColumn(texts.total, ({ kind, total }) => (kind === 'invoice' ? total : -total)),
    actsColumn(texts.file, (invoice) => [
      {
        text: download,
        label: `${download} \u2066${invoice.number}\u2069`,
        act: () => attempt(() => downloadInvoice(invoice)),
      },
    ]),
  ]
  return (
    <>
      <Files />
      {alert}
      <OfficeTable table={invoiceTable} columns={columns} texts={texts} />
    </>
  )
}

/** The files for an accountant, of a year or a month. */
function Files() {
  const locale = useLocale()
  const texts = useTexts('office-money:invoices')
  const { alert, attempt, isBusy } = useAction()
  const [period, setPeriod] = useState(() => tunisianDay(new Date()).slice(0, 4))
  const plain = plainSigns(period)
  const isValid = /^20\d\d(?:-(?:0[1-9]|1[0-2]))?$/.test(plain)
  return (
    <section className="stack">
      {alert}
      <Field
        name="period"
        label={texts.period}
        hint={texts.periodHint}
        error={isValid ? undefined : texts.mistake}
        autoComplete="off"
        dir="ltr"
        defaultValue={period}
        onChange={({ target }) => setPeriod(target.value)}
      />
      <p className="cluster">
        <Button
          kind="primary"
          isBusy={isBusy}
          onClick={() => isValid && attempt(() => exportInvoices(plain, locale))}
        >
          {texts.export}
        </Button>
      </p>
    </section>
  )
}

export default island(InvoiceList)
