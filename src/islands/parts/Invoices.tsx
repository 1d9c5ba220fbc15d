import { useEffect, useRef, useState } from 'react'
import type { Invoice, InvoiceBuyer } from '../../contract/invoices.ts'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import { type Problem, problemOf } from '../../stores/shared/problem.ts'
import { Button } from './Button.tsx'
import { problemText, useErrorTexts } from './error-texts.ts'
import { Field } from './Field.tsx'
import { useLocale, useTexts } from './island.tsx'
import { ErrorAlert } from './Message.tsx'
import { Price } from './Price.tsx'

interface Props {
  invoices: readonly Invoice[]
  /** The buyer's name, to begin with; null where no invoice can be asked for. */
  buyer: string | null
  onAsk: (buyer: InvoiceBuyer) => Promise<unknown>
  onDownload: (invoice: Invoice) => Promise<unknown>
}

/** The invoice and credit notes of an order, or the form by which its invoice is asked for. */
export function Invoices({ invoices, buyer, onAsk, onDownload }: Props) {
  const locale = useLocale()
  const texts = useTexts('invoice:page')
  const errors = useErrorTexts()
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const attempt = async (work: () => Promise<unknown>) => {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      setProblem(problemOf(error))
    }
    setBusy(false)
  }
  const section = useRef<HTMLElement>(null)
  // Links lead here before the section is there.
  useEffect(() => {
    if (location.hash === '#invoice') section.current?.scrollIntoView()
  }, [])
  if (invoices.length === 0 && buyer === null) return null
  const field = (name: 'name' | 'address' | 'taxNumber') => {
    const mistake = problem?.fields[name]
    return {
      name,
      label: texts[name],
      error: mistake && texts.mistakes[mistake === 'required' ? 'required' : name],
    }
  }
  const hasFields = Object.keys(problem?.fields ?? {}).length > 0
  return (
    <section ref={section} className="stack no-print" id="invoice">
      <h2>{texts.title}</h2>
      {problem && !hasFields && <ErrorAlert text={problemText(problem, errors)} />}
      {invoices.map((invoice) => (
        <p className="cluster" key={invoice.id}>
          <span>
            {fillText(texts.kinds[invoice.kind], { number: `\u2066${invoice.number}\u2069` })} ·{' '}
            {formatDate(locale, invoice.issuedAt)} · <Price amount={invoice.total} />
          </span>
          <Button
            isBusy={isBusy}
            aria-label={`${texts.download} \u2066${invoice.number}\u2069`}
            onClick={() => attempt(() => onDownload(invoice))}
          >
            {texts.download}
          </Button>
        </p>
      ))}
      {invoices.length === 0 && !isOpen && (
        <p>
          <Button onClick={() => setOpen(true)}>{texts.ask}</Button>
        </p>
      )}
      {invoices.length === 0 && isOpen && (
        <form
          className="stack"
          method="post"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            const typed = new FormData(event.currentTarget)
            const text = (name: string) => String(typed.get(name) ?? '')
            void attempt(() =>
              onAsk({
                name: text('name'),
                address: text('address'),
                taxNumber: text('taxNumber'),
                locale,
              }),
            )
          }}
        >
          <p className="soft">{texts.text}</p>
          <Field {...field('name')} defaultValue={buyer ?? ''} autoComplete="name" dir="auto" />
          <Field {...field('address')} autoComplete="street-address" dir="auto" />
          <Field
            {...field('taxNumber')}
            hint={texts.taxHint}
            autoComplete="off"
            autoCapitalize="characters"
            dir="ltr"
          />
          <p>
            <Button type="submit" kind="primary" isBusy={isBusy}>
              {texts.submit}
            </Button>
          </p>
        </form>
      )}
    </section>
  )
}
