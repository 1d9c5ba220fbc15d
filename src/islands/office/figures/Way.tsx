import type { Figures } from '../../../contract/office-figures.ts'
import { fillText } from '../../../i18n/format.ts'
import { useTexts } from './texts.ts'

/** The funnel to a purchase: the visitors at each step, and their share of the previous step. */
export function Way({ figures: { sums, sumsBefore } }: { figures: Figures }) {
  const texts = useTexts('office-figures:figures')
  const { lines, paid } = texts
  const steps = [
    { name: lines.visits, now: sums.visits, before: sumsBefore.visits },
    { name: lines.details, now: sums.details, before: sumsBefore.details },
    { name: lines.cart, now: sums.cart, before: sumsBefore.cart },
    { name: lines.ordered, now: sums.ordered, before: sumsBefore.ordered },
    { name: paid, now: sums.orders, before: sumsBefore.orders },
  ]
  const most = Math.max(...steps.map(({ now }) => now), 1)
  return (
    <section className="stack">
      <h2>{texts.wayHeading}</h2>
      <p className="soft">{texts.wayHint}</p>
      <ol className="way">
        {steps.map(({ name, now, before }, at) => {
          const last = steps[at - 1]?.now ?? 0
          const ofLast = last > 0 ? Math.round((now / last) * 100) : null
          return (
            <li key={name} className="way__step">
              <span className="way__name">{name}</span>
              <bdi className="way__count">{now}</bdi>
              <svg
                className="way__bar"
                viewBox="0 0 100 1"
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <rect width={(now / most) * 100} height={1} />
              </svg>
              <span className="soft small">
                {fillText(texts.was, { value: before })}
                {ofLast !== null && ofLast <= 100 && (
                  <span className="way__share">
                    {fillText(texts.ofBefore, { percent: ofLast })}
                  </span>
                )}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
