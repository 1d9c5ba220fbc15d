import '../site/site.css'
import './interface-texts.css'
import { useStore } from '@nanostores/react'
import { useState } from 'react'
import {
  type InterfaceText,
  TEXT_STATES,
  type TextGroup,
} from '../../../contract/office-interface-texts.ts'
import { pluralText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { LANGUAGE_NAMES, LOCALES } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Later } from '../../../islands/parts/Later.tsx'
import { LoadState } from '../../../islands/parts/States.tsx'
import { TEXT_GROUPS } from '../../../rules/text-groups.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { filterOf, OfficeList } from '../../kit/tables/OfficeTable.tsx'
import { createTextsOf, textTable } from './interface-texts.ts'

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
      <OfficeList<TextGroup>
        table={textTable}
        texts={{ ...texts, empty: texts.none }}
        filters={[filterOf('state', texts.state, TEXT_STATES, texts.states)]}
      >
        {({ content, totalElements }, isLoading) =>
          // Made anew for every search, since a group reads what the search wants.
          !isLoading && (
            <div className="text-groups">
              {content.map((group) => (
                <Group key={group.group} group={group} isOpen={totalElements <= OPENED_AT_MOST} />
              ))}
            </div>
          )
        }
      </OfficeList>
    </div>
  )
}

/** Groups open by themselves if a search has found no more texts than this. */
const OPENED_AT_MOST = 20

const LINES = ['line', 'line', 'line'] as const

/** The texts that are seen on a page of the shop, folded, with a link to that page. */
function Group({ group, isOpen }: { group: TextGroup; isOpen: boolean }) {
  const locale = useLocale()
  const texts = useTexts('office-interface-texts:page')
  const [own] = useState(() => createTextsOf(group.group))
  const state = useStore(own.$state, { ssr: notLoaded })
  return (
    <details
      className="site-fold"
      open={isOpen}
      onToggle={({ currentTarget, target }) => {
        // The texts inside fold as well.
        if (target === currentTarget && currentTarget.open && state.phase === 'idle') {
          void own.load()
        }
      }}
    >
      <summary>
        <span className="site-fold__title">{texts.groups[group.group]}</span>
        <span className="soft small">{pluralText(locale, texts.counts, 'count', group.count)}</span>
        {group.own > 0 && (
          <span className="interface-texts__own small">
            {labelled(locale, texts.changed, String(group.own))}
          </span>
        )}
      </summary>
      <div className="text-groups__content stack items-start gap-3">
        <a className="link" href={pathIn(locale, TEXT_GROUPS[group.group].page)}>
          {texts.seePage}
        </a>
        <LoadState
          state={state}
          loading={{ text: texts.loading, shapes: LINES }}
          failed={texts.failed}
          onRetry={own.load}
        >
          {(shown) => (
            <>
              <ul className="interface-texts stack gap-0">
                {shown.map((text) => (
                  <li key={text.key}>
                    <TextRow text={text} />
                  </li>
                ))}
              </ul>
              {shown.length < group.count && <Button onClick={own.readMore}>{texts.more}</Button>}
            </>
          )}
        </LoadState>
      </div>
    </details>
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
