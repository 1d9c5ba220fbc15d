import { formatDate } from '../../../i18n/dates.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { useLoaded } from '../../kit/loaded-store.tsx'
import { bindingTerms, publishTerms } from './pages.ts'

/** Whether the terms are binding as they are saved, and the button that makes them so. */
export function BindingTerms({ revision }: { revision: number }) {
  const locale = useLocale()
  const texts = useTexts('office-site:terms')
  const terms = useLoaded(bindingTerms)
  const { ask, dialog } = useQuestions()
  if (!terms) return null
  const { current } = terms
  const isBinding = current?.revision === revision
  const values = current && {
    date: isolate(formatDate(locale, current.publishedAt)),
    count: current.accepted,
  }
  const confirm = () =>
    ask({
      title: texts.ask,
      submit: texts.publish,
      text: texts.text,
      send: () => publishTerms(revision),
    })
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      <p>
        {!values && texts.none}
        {values && fillText(isBinding ? texts.binding : texts.older, values)}
      </p>
      {!isBinding && (
        <p>
          <Button onClick={confirm}>{texts.publish}</Button>
        </p>
      )}
      {dialog}
    </section>
  )
}
