import '../../parts/field.css'
import { type SubmitEvent, useId, useState } from 'react'
import type { FeaturedItem } from '../../../contract/office-catalogue.ts'
import { fillText } from '../../../i18n/format.ts'
import { FEATURED_MAX, type FeaturedKind } from '../../../rules/catalogue-lists.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../../../rules/suggestions.ts'
import { findFeaturable } from '../../../stores/office/catalogue/featured.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useTexts } from '../../parts/island.tsx'
import { useProblemText } from '../parts/use-attempt.tsx'
import { Named } from './Named.tsx'

interface Props {
  kind: FeaturedKind
  chosen: readonly number[]
  onAdd: (item: FeaturedItem) => void
}

/** Searches for items on sale by words of their title or name, and adds them. */
export function FindFeaturable({ kind, chosen, onAdd }: Props) {
  const texts = useTexts('office-catalogue:featured')
  const problemText = useProblemText()
  const id = useId()
  const [found, setFound] = useState<readonly FeaturedItem[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const isFull = chosen.length >= FEATURED_MAX
  const find = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
    if (q === '') return
    setBusy(true)
    setProblem(null)
    try {
      setFound(await findFeaturable(kind, q))
    } catch (error) {
      setProblem(problemOf(error))
    }
    setBusy(false)
  }
  return (
    <section className="stack">
      <search>
        <form className="lists__find" method="post" onSubmit={find}>
          <div className="field">
            <label htmlFor={id}>{texts.find[kind]}</label>
            <input
              id={id}
              type="search"
              name="q"
              dir="auto"
              autoComplete="off"
              maxLength={SEARCH_TEXT_MAX_LENGTH}
            />
          </div>
          <button type="submit" className="button" aria-busy={isBusy}>
            {texts.search}
          </button>
        </form>
      </search>
      {problem && <ErrorAlert text={problemText(problem)} />}
      <p role="status" className={found?.length === 0 || isFull ? 'soft' : 'visually-hidden'}>
        {isFull ? texts.isFull : found?.length === 0 ? texts.nothing : ''}
      </p>
      {found && found.length > 0 && (
        <ul className="lists__entries">
          {found.map((item) => (
            <li key={item.id} className="lists__entry">
              <div className="lists__row">
                <Named item={item} />
                {chosen.includes(item.id) ? (
                  <span className="badge badge--quiet">{texts.isThere}</span>
                ) : (
                  <button
                    type="button"
                    className="button"
                    disabled={isFull}
                    aria-label={fillText(texts.addOne, { name: item.title })}
                    onClick={() => onAdd(item)}
                  >
                    {texts.add}
                  </button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
