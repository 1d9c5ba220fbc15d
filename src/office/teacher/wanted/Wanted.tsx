import type { WantedPaper } from '../../../contract/office-corrections.ts'
import * as contract from '../../../contract/office-corrections.ts'
import * as references from '../../../contract/references.ts'
import { paperLine } from '../../../i18n/details.ts'
import { labelled } from '../../../i18n/listed.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { type NamedEntry, nameIn } from '../../../rules/catalogue-names.ts'
import { useKindTexts } from '../../documents/kinds.ts'
import { useLoaded } from '../../kit/loaded-store.tsx'
import { resource } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { Words } from '../../kit/tables/cells.tsx'
import { OfficeTable, type TableFilter } from '../../kit/tables/OfficeTable.tsx'
import { actsColumn, type Column } from '../../kit/tables/ShortTable.tsx'
import { tableOf } from '../../kit/tables/table.ts'

const idOf = (name: 'niveauId' | 'matiereId') => (value: string) =>
  /^[1-9]\d{0,8}$/.test(value) ? { [name]: Number(value) } : {}

const wantedTable = tableOf(contract.listWanted, {
  filters: { niveauId: idOf('niveauId'), matiereId: idOf('matiereId') },
})
const classes = resource(references.listClasses)
const subjects = resource(references.listMatieres)

const { island, useTexts } = officeTexts(
  'office-wanted:list',
  'office:table',
  'catalogue:matieres',
  'catalogue:niveaux',
  'catalogue:papers',
)

function Wanted() {
  return (
    <OfficeTable
      table={wantedTable}
      columns={useColumns()}
      texts={useTexts('office-wanted:list')}
      filters={useFilters()}
    />
  )
}

function useNamed() {
  const locale = useLocale()
  const ofSubjects = useTexts('catalogue:matieres')
  const ofClasses = useTexts('catalogue:niveaux')
  return {
    subject: (entry: NamedEntry) => nameIn(locale, entry, ofSubjects),
    schoolClass: (entry: NamedEntry) => nameIn(locale, entry, ofClasses),
  }
}

function useColumns(): readonly Column<WantedPaper>[] {
  const locale = useLocale()
  const { columns: heads, offer, own } = useTexts('office-wanted:list')
  const papers = useKindTexts(useTexts('catalogue:papers'))
  const named = useNamed()
  return [
    {
      head: heads.paper,
      cell: (row) => (
        <>
          <a className="touch along" href={pathIn(locale, `/shop-details/${row.id}`)}>
            <bdi>{row.title}</bdi>
          </a>{' '}
          <span className="soft small">{paperLine(papers, row)}</span>
        </>
      ),
    },
    { head: heads.waiting, isNumber: true, cell: ({ waiting }) => waiting },
    { head: heads.schoolClass, cell: ({ classe }) => named.schoolClass(classe) },
    { head: heads.subject, cell: ({ matiere }) => named.subject(matiere) },
    {
      head: heads.teacher,
      cell: ({ isOwn, teacher }) => (isOwn ? own : <Words>{teacher}</Words>),
    },
    actsColumn(heads.acts, ({ id, title }) => [
      {
        kind: 'plain',
        text: offer,
        label: labelled(locale, offer, title),
        act: `/office/documents/new?correctionOf=${id}`,
      },
    ]),
  ]
}

function useFilters(): readonly TableFilter[] {
  const { filters: labels } = useTexts('office-wanted:list')
  const named = useNamed()
  const optionsOf = (
    entries: readonly references.Listed[] | null,
    nameOf: (entry: NamedEntry) => string,
  ) => (entries ?? []).map((entry) => ({ value: String(entry.id), text: nameOf(entry) }))
  return [
    {
      name: 'niveauId',
      label: labels.schoolClass,
      options: optionsOf(useLoaded(classes), named.schoolClass),
    },
    {
      name: 'matiereId',
      label: labels.subject,
      options: optionsOf(useLoaded(subjects), named.subject),
    },
  ]
}

export default island(Wanted)
