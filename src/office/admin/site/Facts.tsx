import './site.css'
import { useEffect, useState } from 'react'
import type { OfficeFacts } from '../../../contract/office-facts.ts'
import { fillText, groupedNumber, isolate } from '../../../i18n/format.ts'
import { LOCALES } from '../../../i18n/locales.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Later } from '../../../islands/parts/Later.tsx'
import { FACT_GROUPS, type FactGroup } from '../../../rules/site-facts.ts'
import { momentText } from '../../kit/dates.ts'
import { readUnsaved } from '../../kit/forms/saving.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { adminTexts, useActorName } from '../../kit/office-texts.ts'
import { officeFacts } from './facts.ts'

const { island, useTexts } = adminTexts(
  'office-site:facts',
  'office-site:groups',
  'office-site:factFields',
  'office-site:factHints',
  'office-site:add',
  'office-site:brand',
  'office-site:money',
  'office-site:mistakes',
  'office-site:conflict',
  'office-site:history',
  'office:form',
  'office:confirm',
)

const OUTLINES = ['line', 'button', 'line', 'button'] as const

function Facts() {
  const texts = useTexts('office-site:facts')
  return (
    <LoadedStore from={officeFacts} texts={texts} shapes={OUTLINES}>
      {(value) => (
        <div className="site-facts stack gap-0">
          <p className="soft">{texts.lead}</p>
          {FACT_GROUPS.map((group) => (
            <Group key={group} group={group} office={value} />
          ))}
        </div>
      )}
    </LoadedStore>
  )
}

const loadForm = () => import('./FactForm.tsx').then(({ FactForm }) => FactForm)

function Group({ group, office }: { group: FactGroup; office: OfficeFacts }) {
  const actorName = useActorName()
  const locale = useLocale()
  const texts = useTexts('office-site:facts')
  const groups = useTexts('office-site:groups')
  const fields = useTexts('office-site:factFields')
  // A group opens by itself that a link names, or that has unsaved values.
  const [isOpen, setOpen] = useState(
    () => readUnsaved(`facts ${group}`) !== null || location.hash === `#${group}`,
  )
  useEffect(() => {
    // The browser has looked for the link's place before the facts were there.
    if (location.hash === `#${group}`) document.getElementById(group)?.scrollIntoView()
  }, [group])
  const { changed } = office.groups[group]
  const lines = summaryOf(office, group, locale).filter((line) => line !== '')
  return (
    <details
      id={group}
      className="site-fold"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(isOpen || currentTarget.open)}
    >
      <summary>
        <h2>{groups[group]}</h2>
        <p className="cluster items-stretch gap-4 lines-0">
          {group === 'community' && lines.length > 0 && (
            <span className="soft">{fields.community.followers}</span>
          )}
          {lines.length === 0 && <span className="soft">{texts.empty}</span>}
          {lines.map((line) => (
            <bdi key={line}>{line}</bdi>
          ))}
        </p>
        {changed && (
          <p className="soft small">
            {fillText(texts.changed, {
              by: isolate(actorName(changed.by)),
              at: momentText(locale, changed.at),
            })}
          </p>
        )}
      </summary>
      {isOpen && (
        <Later
          load={loadForm}
          give={{ group, office }}
          loading={{ text: texts.loading, shapes: OUTLINES }}
          failed={texts.failed}
        />
      )}
    </details>
  )
}

function summaryOf(
  { facts: { brand, contact, community, bank, d17, legal } }: OfficeFacts,
  group: FactGroup,
  locale: ReturnType<typeof useLocale>,
): string[] {
  switch (group) {
    case 'brand':
      return [...new Set(LOCALES.map((each) => brand.name[each]))]
    case 'contact':
      return [...contact.phones, contact.email, contact.addresses[0]?.[locale] ?? '']
    case 'community':
      return [
        ...(community.followers > 0 ? [groupedNumber(locale, community.followers)] : []),
        ...community.links.map(({ name }) => name),
      ]
    case 'bank':
      return [bank.rib, bank.holder]
    case 'd17':
      return [d17.phone, d17.holder]
    case 'legal':
      return [legal.name, legal.taxNumber]
  }
}

export default island(Facts)
