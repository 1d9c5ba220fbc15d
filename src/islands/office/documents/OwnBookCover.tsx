import type { OwnDocument } from '../../../contract/own-document.ts'
import { BookCover } from '../../parts/BookCover.tsx'
import { useNames } from './names.ts'

/** The cover of one of the teacher's documents, even if parts of the document are missing. */
export function OwnBookCover({ document }: { document: OwnDocument }) {
  const names = useNames()
  const { matiere, classe, categorie } = document
  return (
    <BookCover
      book={document}
      subject={matiere?.code}
      lines={`${matiere ? names.matiere(matiere) : '\u00a0'}\n${classe ? names.schoolClass(classe) : '\u00a0'}`}
      tab={categorie ? names.category(categorie) : undefined}
      sizes="210px"
    />
  )
}
