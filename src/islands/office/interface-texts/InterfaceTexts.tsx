import '../site/site.css'
import './interface-texts.css'
import { useState } from 'react'
import { type InterfaceText, TEXT_STATES } from '../../../contract/office-interface-texts.ts'
import { labelled } from '../../../i18n/listed.ts'
import { LANGUAGE_NAMES, LOCALES } from '../../../i18n/locales.ts'
import { textTable } from '../../../stores/office/site/interface-texts.ts'
import { useLocale } from '../../parts/island.tsx'
import { Later } from '../../parts/Later.tsx'
import { OfficeList } from '../parts/OfficeTable.tsx'
import { adminTexts } from '../parts/office-texts.ts'

const { island, useTexts } = adminTexts(
  'office-interface-texts:page',
  'office-site:mistakes',
  'office-site:conflict',
  'office-site:history',
  'office:table',
  'office:form',
  'office:confirm',
)

function InterfaceTexts() {
  const texts = useTexts('office-interface-texts:page')
  return (
    <div className="stack">
      <p className="soft">{texts.lead}</p>
      <p className="soft small">{texts.fixed}</p>
      <OfficeList<InterfaceText>
        table={textTable}
        counts={texts.counts}
        empty={{ text: texts.none }}
        search={texts.search}
        filters={[
          {
            name: 'state',
            label: texts.state,
            options: TEXT_STATES.map((value) => ({ value, text: texts.states[value] })),
          },
        ]}
      >
        {({ content }) => (
          <ul className="interface-texts">
            {content.map((text) => (
              <li key={text.key}>
                <TextRow text={text} />
              </li>
            ))}
          </ul>
        )}
      </OfficeList>
    </div>
  )
}

const loadForm = () => import('./TextForm.tsx').then(({ TextForm }) => TextForm)

function TextRow({ text: initialText }: { text: InterfaceText }) {
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

export default island(InterfaceTexts)
