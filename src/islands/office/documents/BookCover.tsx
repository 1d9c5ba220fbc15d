import '../../parts/cover.css'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { coverPicture, paintOf, subjectClass } from '../../../rules/cover.ts'
import { useNames } from './names.ts'

/** A document's cover, drawn like `Cover.astro`, even while parts of the document are missing. */
export function BookCover({ document }: { document: OwnDocument }) {
  const names = useNames()
  const { title, matiere, classe, categorie, coverMapping } = document
  const picture = coverPicture(document)
  const paint = paintOf(coverMapping?.color)
  return (
    <div className={`cover ${subjectClass(matiere?.code)}`.trim()} aria-hidden="true">
      {paint && (
        <svg className="cover__paint" aria-hidden="true">
          <rect width="100%" height="100%" fill={paint} />
        </svg>
      )}
      <div className="cover__label">
        <span className="cover__title along" dir="auto">
          {title}
        </span>
        <span className="cover__lines">
          {`${matiere ? names.matiere(matiere) : '\u00a0'}\n${classe ? names.schoolYear(classe) : '\u00a0'}`}
        </span>
      </div>
      {categorie && <span className="cover__tab">{names.category(categorie)}</span>}
      {picture && (
        <picture>
          {picture.sources.map((source) => (
            <source key={source.type} {...source} sizes="210px" />
          ))}
          <img className="cover__picture" src={picture.src} alt="" width="170" height="220" />
        </picture>
      )}
    </div>
  )
}
