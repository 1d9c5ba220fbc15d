import './many.css'
import '../../kit/forms/upload-field.css'
import { useStore } from '@nanostores/react'
import { useCallback, useState } from 'react'
import { fillText, isolate, pluralText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Message } from '../../../islands/parts/Message.tsx'
import { ChooseFile } from '../../../islands/parts/Upload.tsx'
import { MANY_ARCHIVE_MAX_BYTES, MANY_FILES_MAX } from '../../../rules/many-files.ts'
import { inMegabytes, UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { DropZone } from '../../kit/forms/UploadField.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { actsColumn, type Column, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'
import type { References } from '../documents/own.ts'
import { fieldNamed } from '../documents/text.ts'
import { chosenFiles, droppedFiles, type NamedFile } from '../imports/chosen-files.ts'
import { CELLS, Cell } from './Cell.tsx'
import type { Refused } from './chosen-papers.ts'
import { FillRows } from './FillRows.tsx'
import {
  $rows,
  type Dropped,
  drop,
  isComplete,
  many,
  type Row,
  remove,
  submit,
  valuesIn,
} from './many.ts'
import { Standing } from './Standing.tsx'

const { island, useTexts } = officeTexts(
  'office-many:page',
  'office-many:drop',
  'office-many:why',
  'office-many:fill',
  'office-many:row',
  'office-many:rows',
  'office-many:remove',
  'office-documents:needs',
  'office-documents:fields',
  'office-documents:details',
  'office:confirm',
  'office:upload',
  'catalogue:levels',
  'catalogue:matieres',
  'catalogue:niveaux',
  'catalogue:categories',
  'catalogue:types',
)

function Many() {
  const texts = useTexts('office-many:page')
  return (
    <LoadedStore from={many} texts={texts} shapes={['line', 'button', 'line', 'line']}>
      {(references) => (
        <div className="stack gap-8">
          <Drop />
          <Rows references={references} />
        </div>
      )}
    </LoadedStore>
  )
}

function Drop() {
  const locale = useLocale()
  const texts = useTexts('office-many:drop')
  const reasons = useTexts('office-many:why')
  const { attempt, isBusy, message } = useAction()
  const [progress, setProgress] = useState({ count: 0, of: 0 })
  const [refused, setRefused] = useState<readonly Refused[]>([])

  const take = (files: Promise<NamedFile[]> | NamedFile[]) =>
    attempt(async () => {
      setRefused([])
      setProgress({ count: 0, of: 0 })
      const done = await drop(await files, (count, of) => setProgress({ count, of }))
      setRefused(done.refused)
      return said(done)
    })
  const said = ({ begun, known, left }: Dropped) =>
    [
      pluralText(locale, texts, 'begun', begun),
      known > 0 && pluralText(locale, texts, 'known', known),
      left > 0 && fillText(pluralText(locale, texts, 'left', left), { most: MANY_FILES_MAX }),
    ]
      .filter(Boolean)
      .join(' ')
  const limits = {
    files: MANY_FILES_MAX,
    megabytes: inMegabytes(UPLOAD_MAX_BYTES.document),
    archive: inMegabytes(MANY_ARCHIVE_MAX_BYTES),
  }
  return (
    <section className="stack" aria-labelledby="drop">
      <DropZone isBusy={isBusy} onDrop={(dropped) => void take(droppedFiles(dropped))}>
        <p className="strong" id="drop">
          {texts.label}
        </p>
        <p className="field__hint">{fillText(texts.hint, limits)}</p>
        <ChooseFile
          kind="primary"
          of="files"
          accept=".pdf,.zip,image/jpeg,image/png,image/webp"
          isBusy={isBusy}
          onChoose={(files) => void take(chosenFiles(files))}
        >
          {isBusy ? texts.reading : texts.choose}
        </ChooseFile>
        {isBusy && progress.of > 0 && (
          <progress
            className="upload__bar"
            max={progress.of}
            value={progress.count}
            aria-label={texts.progress}
          />
        )}
        <p className="upload__drop soft small">{texts.drop}</p>
      </DropZone>
      {message}
      {refused.length > 0 && (
        <Message kind="error">
          <p>{texts.refused}</p>
          <ul className="stack gap-1">
            {refused.map(({ name, why }) => (
              <li key={name}>{labelled(locale, isolate(name), fillText(reasons[why], limits))}</li>
            ))}
          </ul>
        </Message>
      )}
    </section>
  )
}

function Rows({ references }: { references: References }) {
  const locale = useLocale()
  const texts = useTexts('office-many:rows')
  const removal = useTexts('office-many:remove')
  const rows = useStore($rows)
  const [unpicked, setUnpicked] = useState<ReadonlySet<number>>(new Set())
  const { attempt, isBusy, message, say } = useAction()
  const questions = useQuestions(say)
  const onPasted = useCallback(
    (unknown: number) => say(unknown > 0 ? pluralText(locale, texts, 'unknown', unknown) : ''),
    [say, locale, texts],
  )
  const columns = useColumns({
    references,
    onPasted,
    unpicked,
    onPick: setUnpicked,
    onRemove: ({ document: { id } }) =>
      questions.ask({
        title: removal.title,
        submit: removal.button,
        text: removal.text,
        isDanger: true,
        send: () => remove(id),
      }),
  })
  if (rows.length === 0) {
    return (
      <>
        {message}
        <p className="soft">{texts.empty}</p>
      </>
    )
  }
  const picked = rows.filter(({ document }) => !unpicked.has(document.id))
  const ready = picked.filter(isComplete)
  return (
    <>
      <FillRows rows={picked} references={references} />
      <section className="many stack">
        <h2>{texts.title}</h2>
        <p className="soft">{texts.hint}</p>
        <ShortTable
          label={texts.title}
          columns={columns}
          rows={rows}
          rowKey={({ document }) => document.id}
        />
        {message}
        <div className="cluster">
          <Button
            kind="primary"
            isBusy={isBusy}
            disabled={ready.length === 0}
            onClick={() =>
              attempt(async () => {
                const sent = await submit(ready.map(({ document }) => document.id))
                return pluralText(locale, texts, 'sent', sent)
              })
            }
          >
            {isBusy ? texts.sending : pluralText(locale, texts, 'send', ready.length)}
          </Button>
        </div>
      </section>
      {questions.dialog}
    </>
  )
}

interface Columns {
  references: References
  onPasted: (unknown: number) => void
  /** The rows that are not picked. */
  unpicked: ReadonlySet<number>
  onPick: (unpicked: ReadonlySet<number>) => void
  onRemove: (row: Row) => void
}

function useColumns({
  references,
  onPasted,
  unpicked,
  onPick,
  onRemove,
}: Columns): readonly Column<Row>[] {
  const locale = useLocale()
  const texts = useTexts('office-many:rows')
  const removal = useTexts('office-many:remove')
  const list = useTexts('office-many:row')
  const fields = useTexts('office-documents:fields')
  const titleOf = (row: Row) => valuesIn(row).title || list.untitled
  const pick = (id: number, isPicked: boolean) => {
    const after = new Set(unpicked)
    if (isPicked) after.delete(id)
    else after.add(id)
    onPick(after)
  }
  const [first, ...others] = CELLS.map(
    (field): Column<Row> => ({
      head: fields[fieldNamed(field)],
      cell: (row) => <Cell {...{ row, field, references, onPasted }} />,
    }),
  )
  return [
    {
      head: first?.head ?? '',
      cell: (row) => (
        <span className="many__name row gap-2">
          <input
            type="checkbox"
            aria-label={labelled(locale, texts.pick, titleOf(row))}
            checked={!unpicked.has(row.document.id)}
            onChange={({ target }) => pick(row.document.id, target.checked)}
          />
          {first?.cell(row)}
        </span>
      ),
    },
    { head: texts.state, isWide: true, cell: (row) => <Standing row={row} /> },
    ...others,
    actsColumn(texts.acts, (row) => [
      {
        kind: 'plain',
        text: texts.open,
        label: labelled(locale, texts.open, titleOf(row)),
        act: `/office/document?id=${row.document.id}`,
      },
      {
        kind: 'plain',
        text: removal.button,
        label: labelled(locale, removal.button, titleOf(row)),
        act: () => onRemove(row),
      },
    ]),
  ]
}

export default island(Many)
