import '../../islands/parts/choices.css'
import './bundle-form.css'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { fillText, priceParts, priceText } from '../../i18n/format.ts'
import { labelled } from '../../i18n/listed.ts'
import { Button } from '../../islands/parts/Button.tsx'
import { useLocale, useTexts } from '../../islands/parts/island.tsx'
import { BUNDLE_DOCUMENTS, BUNDLE_PRICE_MIN } from '../../rules/bundles.ts'
import { MAX_PRICE, type Millimes } from '../../rules/money.ts'
import { readAmount } from '../kit/forms/amount.ts'
import { type FieldRow, NUMBER, useFieldTable } from '../kit/forms/field-table.tsx'
import { Money } from '../kit/tables/cells.tsx'
import { SearchForm } from '../kit/tables/SearchForm.tsx'
import { useAction, useLatest } from '../kit/use-action.tsx'

/** A document that may be sold together with others, at what it costs singly. */
export interface Candidate {
  readonly id: number
  readonly title: string
  /** Its teacher, where there are several. */
  readonly by?: string
  readonly price: Millimes
}

/** The query that finds the documents to choose from: some for sale, those sold most first. */
export const offered = (q?: string) =>
  ({ state: 'published', sort: '-sales', size: 10, ...(q && { q }) }) as const

interface Props {
  title: string
  text: string
  submit: string
  /** What is chosen when it opens. */
  initial?: readonly Candidate[]
  price?: Millimes | undefined
  /** Documents for sale, found by their title; those sold most without one. */
  find: (q?: string) => Promise<readonly Candidate[]>
  send: (bundle: { documentIds: number[]; price: Millimes }) => Promise<unknown>
  onCancel: () => void
}

/** The field of a bundle's price, and what was typed in millimes. */
export function usePriceField() {
  const texts = useTexts('office-bundles:price')
  const locale = useLocale()
  const read = (typed: string) => readAmount(typed, { least: BUNDLE_PRICE_MIN, most: MAX_PRICE })
  return {
    read: (typed: string) => Number(read(typed)),
    /** `singly`: it has to be below this. */
    startingWith: (initial?: Millimes, singly = Number.POSITIVE_INFINITY): FieldRow<'price'> => ({
      name: 'price',
      label: texts.label,
      hint: texts.hint,
      ...NUMBER,
      ...(initial && { initial: priceParts(locale, initial).number }),
      check(typed) {
        const amount = read(typed)
        if (typeof amount !== 'number') return texts[amount]
        return amount >= singly && texts.notCheaper
      },
    }),
  }
}

/** Chooses the documents of a bundle and its price, beside what they cost singly. */
export function BundleForm(props: Props) {
  const { title, text, submit, initial = [], send, onCancel } = props
  const locale = useLocale()
  const texts = useTexts('office-bundles:form')
  const { alert, attempt, isBusy } = useAction()
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  const [chosen, setChosen] = useState(initial)
  const singly = chosen.reduce((sum, { price }) => sum + price, 0)
  const isEnough = chosen.length >= BUNDLE_DOCUMENTS.least
  const price = usePriceField()
  const table = useFieldTable([price.startingWith(props.price, isEnough ? singly : undefined)])
  const saving = singly - price.read(table.values.price)
  useEffect(() => heading.current?.focus(), [])

  const remove = (gone: Candidate) => {
    setChosen(chosen.filter((each) => each !== gone))
    // The button that had it goes.
    heading.current?.focus()
  }
  const confirm = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy || !table.check()) return
    const documentIds = chosen.map((each) => each.id)
    void attempt(() => send({ documentIds, price: price.read(table.values.price) }))
  }
  return (
    <section className="bundle-form stack" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p className="soft">{text}</p>
      <h3>{texts.chosen}</h3>
      {chosen.length > 0 && (
        <ul>
          {chosen.map((each) => (
            <li className="bundle-form__row cluster split" key={each.id}>
              <Named document={each} />
              <Money amount={each.price} />
              <Button
                kind="plain"
                aria-label={labelled(locale, texts.remove, each.title)}
                onClick={() => remove(each)}
              >
                {texts.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p role="status">
        {isEnough
          ? fillText(texts.singly, { amount: priceText(locale, singly) })
          : fillText(texts.tooFew, { least: BUNDLE_DOCUMENTS.least, most: BUNDLE_DOCUMENTS.most })}
        {isEnough && saving > 0 && saving < singly && (
          <strong> {fillText(texts.saving, { amount: priceText(locale, saving) })}</strong>
        )}
      </p>
      <Found {...props} chosen={chosen} onChoose={setChosen} />
      <form className="stack" method="post" noValidate onSubmit={confirm}>
        {table.view}
        {alert}
        <div className="cluster">
          <Button type="submit" kind="primary" disabled={!isEnough} isBusy={isBusy}>
            {submit}
          </Button>
          <Button disabled={isBusy} onClick={onCancel}>
            {texts.cancel}
          </Button>
        </div>
      </form>
    </section>
  )
}

interface FoundProps extends Pick<Props, 'find'> {
  chosen: readonly Candidate[]
  onChoose: (chosen: readonly Candidate[]) => void
}

function Found({ find, chosen, onChoose }: FoundProps) {
  const texts = useTexts('office-bundles:form')
  const { alert, attempt, isBusy } = useAction()
  const [found, setFound] = useState<readonly Candidate[] | null>(null)
  const isFull = chosen.length >= BUNDLE_DOCUMENTS.most
  const search = useLatest(attempt, async (q?: string) => setFound(await find(q)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mounting
  useEffect(() => void search(undefined), [])
  return (
    <>
      <SearchForm label={texts.find} submit={texts.search} isBusy={isBusy} onSearch={search} />
      {alert}
      <p role="status" className={found?.length === 0 || isFull ? 'soft' : 'visually-hidden'}>
        {isFull
          ? fillText(texts.full, { most: BUNDLE_DOCUMENTS.most })
          : found?.length === 0
            ? texts.nothing
            : ''}
      </p>
      {found && found.length > 0 && (
        <ul className="bundle-form__found stack gap-2" aria-label={texts.offered}>
          {found.map((each) => {
            const isChosen = chosen.some(({ id }) => id === each.id)
            return (
              <li key={each.id}>
                <label className="choice-card">
                  <input
                    type="checkbox"
                    checked={isChosen}
                    disabled={isFull && !isChosen}
                    onChange={() =>
                      onChoose(
                        isChosen ? chosen.filter(({ id }) => id !== each.id) : [...chosen, each],
                      )
                    }
                  />
                  <Named document={each} />
                  <Money amount={each.price} />
                </label>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

function Named({ document: { title, by } }: { document: Candidate }) {
  return (
    <span className="bundle-form__name">
      <span dir="auto">{title}</span>
      {by && (
        <span className="soft small" dir="auto">
          {by}
        </span>
      )}
    </span>
  )
}
