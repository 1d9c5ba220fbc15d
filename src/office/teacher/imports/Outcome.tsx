import type { Import } from '../../../contract/office-imports.ts'
import { pluralText } from '../../../i18n/format.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Button, ButtonLink } from '../../kit/Button.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { giveUpImport, startImport } from './import.ts'
import { Notes } from './Problems.tsx'
import { useTexts } from './texts.ts'

export function Ready({ last }: { last: Import }) {
  const locale = useLocale()
  const texts = useTexts('office-import:ready')
  const { alert, attempt, isBusy } = useAction()
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      <p className="along soft" dir="auto">
        {last.name}
      </p>
      <ul className="import__counts">
        <li>{pluralText(locale, texts, 'created', last.created)}</li>
        {last.unchanged > 0 && <li>{pluralText(locale, texts, 'known', last.unchanged)}</li>}
      </ul>
      <Notes last={last} />
      <p>{texts.text}</p>
      {alert}
      <div className="cluster">
        <Button kind="primary" isBusy={isBusy} onClick={() => attempt(() => startImport(last.id))}>
          {texts.start}
        </Button>
        <Button onClick={() => attempt(() => giveUpImport(last.id))}>{texts.other}</Button>
      </div>
    </section>
  )
}

export function Done({ last }: { last: Import }) {
  const texts = useTexts('office-import:done')
  return (
    <section className="stack import__done" role="status">
      <h2>{texts.title}</h2>
      <p className="along soft" dir="auto">
        {last.name}
      </p>
      <dl className="import__sums">
        {(['created', 'changed', 'unchanged'] as const).map((each) => (
          <div key={each}>
            <dt>{texts[each]}</dt>
            <dd>{last[each]}</dd>
          </div>
        ))}
      </dl>
      <Notes last={last} />
      <div>
        <ButtonLink kind="primary" to="/office/documents">
          {texts.documents}
        </ButtonLink>
      </div>
    </section>
  )
}
