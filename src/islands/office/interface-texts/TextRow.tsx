import { useState } from 'react'
import type { InterfaceText } from '../../../contract/office-interface-texts.ts'
import { labelled } from '../../../i18n/listed.ts'
import { LANGUAGE_NAMES, LOCALES } from '../../../i18n/locales.ts'
import { useLocale } from '../../parts/island.tsx'
import { Later } from '../../parts/Later.tsx'
import { useTexts } from './texts.ts'

const loadForm = () => import('./TextForm.tsx').then(({ TextForm }) => TextForm)

/** A text as buyers see it; when open, with a form for each language. */
export function TextRow({ text: initialText }: { text: InterfaceText }) {
  const locale = useLocale()
  const texts = useTexts('office-interface-texts:page')
  const [text, setText] = useState(initialText)
  const [isOpen, setOpen] = useState(false)
  const shown = text[locale] ?? LOCALES.map((each) => text[each]).find(Boolean)
  return (
    <details
      className="site-fold"
      onToggle={(event) => setOpen(isOpen || event.currentTarget.open)}
    >
      <summary>
        <bdi className="site-fold__title">
          {(shown?.isIgnored ? shown.shipped : (shown?.own ?? shown?.shipped)) || text.key}
        </bdi>
        <span className="soft small">
          <bdi dir="ltr">{text.key}</bdi>
        </span>
        {LOCALES.map((each) => {
          const translation = text[each]
          if (translation?.isIgnored) {
            return (
              <span key={each} className="site-page__lacks small">
                {labelled(locale, LANGUAGE_NAMES[each], texts.ignored)}
              </span>
            )
          }
          return (
            translation?.own && (
              <span key={each} className="interface-texts__own small">
                {labelled(locale, LANGUAGE_NAMES[each], texts.changed)}
              </span>
            )
          )
        })}
      </summary>
      {isOpen && (
        <div className="interface-texts__languages site-form">
          {LOCALES.map((each) => (
            <Later
              key={each}
              load={loadForm}
              give={{ text, language: each, onSaved: setText }}
              loading={{ text: texts.loading, shapes: ['line', 'button'] }}
              failed={texts.failed}
            />
          ))}
        </div>
      )}
    </details>
  )
}
