import '../parts/dialog.css'
import '../parts/facts.css'
import '../parts/field.css'
import { pathIn } from '../../i18n/paths.ts'
import type { PurchasedDocument } from '../../stores/library/library.ts'
import { closeOpened } from '../../stores/library/opened.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { useLocale } from '../parts/island.tsx'
import { Actions } from './Actions.tsx'
import { OwnedCover } from './Book.tsx'
import { FACTS, useFacts } from './facts.tsx'
import { OnShelves } from './OnShelves.tsx'
import { OwnStars } from './OwnStars.tsx'
import { useTexts } from './texts.ts'

interface Props {
  document: PurchasedDocument
}

/** The dialog of one book: its actions, and the facts that the table shows of it. */
export function BookDialog({ document }: Props) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const facts = useFacts(document)
  return (
    <Dialog
      title={<bdi>{document.documentTitle}</bdi>}
      closeText={texts.book.close}
      onClose={closeOpened}
    >
      <div className="book-dialog">
        <OwnedCover document={document} sizes="160px" />
        <div className="stack">
          <Actions document={document} />
          <OwnStars document={document} />
        </div>
      </div>
      <OnShelves documentId={document.documentId} />
      <dl className="facts-list small">
        {FACTS.map((name) => (
          <div key={name}>
            <dt>{texts.columns[name]}</dt>
            <dd>{facts[name]}</dd>
          </div>
        ))}
      </dl>
      <a className="link" href={pathIn(locale, `/shop-details/${document.documentId}`)}>
        {texts.book.details}
      </a>
    </Dialog>
  )
}
