import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { OfficePage } from '../../../contract/office-site-pages.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { PAGE_PARTS, wordFieldsOf } from '../../../rules/site-pages.ts'
import { pageMistakes, readPage, savePage, valuesOf } from '../../../stores/office/site/pages.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Later } from '../../parts/Later.tsx'
import { SaveFoot } from '../parts/SaveState.tsx'
import { LanguageChoice } from '../parts/Tabs.tsx'
import { useRevisedForm } from '../parts/use-office-form.tsx'
import { History } from './History.tsx'
import { ItemFields } from './ItemFields.tsx'
import { useMistakes } from './mistakes.ts'
import { Row } from './Row.tsx'
import { usePageLabels } from './use-page-labels.ts'

// Loaded later, because the preview is far below the fields.
const loadPreview = () => import('./PagePreview.tsx').then(({ PagePreview }) => PagePreview)

/** The editor of a page; the button publishes the changes. */
export function PageForm({ office }: { office: OfficePage }) {
  const { name, revision } = office
  const { items } = PAGE_PARTS[name]
  const texts = useTexts('office-site:editor')
  const names = useTexts('office-site:names')
  const sentence = useMistakes()
  const label = usePageLabels(items)
  const [language, setLanguage] = useState<Locale>(useLocale())
  const [initial] = useState(() => valuesOf(office.page))
  const keepAs = `page ${name}`
  const form = useRevisedForm<string>({
    fields: Object.keys(initial),
    initial,
    keepAs,
    revision,
    check: (values) => pageMistakes(name, values),
    save: async (base, values) => (await savePage(name, base, values)).revision,
    read: async () => {
      const now = await readPage(name)
      return { revision: now.revision, values: valuesOf(now.page) }
    },
    sentence,
    label,
    conflictTexts: useTexts('office-site:conflict'),
  })
  const { values, formProps } = form
  const [opensMistakes, setOpenMistakes] = useState(false)
  return (
    <div className="site-page site-form">
      <p>
        <strong>{names[name]}</strong> · <a href={pathIn(language, `/${name}`)}>{texts.open}</a>
      </p>
      {form.notices}
      <LanguageChoice
        className="site-page__languages"
        label={texts.language}
        chosen={language}
        onChoose={setLanguage}
      />
      <form
        {...formProps}
        className="site-page__form"
        onSubmit={(event) => {
          // Fields in closed items cannot receive the focus.
          if (!form.isValid) flushSync(() => setOpenMistakes(true))
          return formProps.onSubmit(event)
        }}
      >
        {wordFieldsOf(name).map((field) => (
          <Row
            key={field}
            language={language}
            values={values}
            label={label}
            pathOf={(each) => `${each}.${field}`}
            fieldOf={form.fieldOf}
            {...(field === 'text' && { rows: 16, hint: texts.markdown })}
            isArea={field !== 'title'}
          />
        ))}
        {items && (
          <ItemFields
            kind={items}
            language={language}
            values={values}
            initial={initial}
            label={label}
            fieldOf={form.fieldOf}
            onChange={formProps.onChange as () => void}
            mistakenFields={opensMistakes ? Object.keys(pageMistakes(name, values)) : []}
          />
        )}
        <SaveFoot form={form} submit={texts.save} />
      </form>
      <Later
        load={loadPreview}
        give={{ name, language, values }}
        loading={{ text: texts.previewLoading, shapes: ['line', 'line'] }}
        failed={{ title: texts.previewFailed, retry: texts.failed.retry }}
      />
      <History subject={`page ${name}`} revision={revision} label={label} />
    </div>
  )
}
