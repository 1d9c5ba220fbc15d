import { fillText } from '../../../i18n/format.ts'
import type { Theirs } from '../../../stores/office/site/writing.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { ConflictChoice } from '../parts/ConflictChoice.tsx'
import { momentText } from '../parts/dates.ts'

interface Props {
  theirs: Theirs
  mine: Readonly<Record<string, string>>
  label: (field: string) => string
  onKeep: () => void
  onTake: () => void
}

/** The unsaved values beside those that another administrator has saved. */
export function SiteConflict({ theirs, mine, label, onKeep, onTake }: Props) {
  const locale = useLocale()
  const { title, ...texts } = useTexts('office-site:conflict')
  const fields = Object.keys(mine).filter(
    (field) => (mine[field] ?? '').trim() !== (theirs.values[field] ?? ''),
  )
  const by = { by: `\u2068${theirs.by}\u2069`, at: momentText(locale, theirs.at) }
  return (
    <ConflictChoice
      texts={{ ...texts, title: fillText(title, by) }}
      differences={fields.map((field) => ({
        label: label(field),
        mine: mine[field] ?? '',
        theirs: theirs.values[field] ?? '',
      }))}
      onKeep={onKeep}
      onTake={onTake}
    />
  )
}
