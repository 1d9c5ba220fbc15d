import { useStore } from '@nanostores/react'
import type { WritableAtom } from 'nanostores'
import { useEffect, useState } from 'react'
import { GenderField } from '../../islands/account/GenderField.tsx'
import { PasswordAdvice } from '../../islands/account/PasswordAdvice.tsx'
import { MethodChoice } from '../../islands/charging/Charging.tsx'
import { customerSide } from '../../islands/chat/customer-side.tsx'
import { Message, Waiting } from '../../islands/chat/Message.tsx'
import { AtSide } from '../../islands/chat/side.tsx'
import { DocumentTable } from '../../islands/my-documents/DocumentTable.tsx'
import { Receipt, type Seller } from '../../islands/order/OrderPage.tsx'
import { BookCover } from '../../islands/parts/BookCover.tsx'
import { Button } from '../../islands/parts/Button.tsx'
import { CopyButton } from '../../islands/parts/CopyButton.tsx'
import { Dialog } from '../../islands/parts/Dialog.tsx'
import { DownloadButton } from '../../islands/parts/DownloadButton.tsx'
import { DownloadNote } from '../../islands/parts/DownloadNote.tsx'
import { EmailAddress } from '../../islands/parts/EmailAddress.tsx'
import { Faq } from '../../islands/parts/Faq.tsx'
import { Field, PasswordField } from '../../islands/parts/Field.tsx'
import { Invoices } from '../../islands/parts/Invoices.tsx'
import { islandTexts, useLocale } from '../../islands/parts/island.tsx'
import { KeepButton } from '../../islands/parts/KeepButton.tsx'
import { Later } from '../../islands/parts/Later.tsx'
import { ErrorAlert } from '../../islands/parts/Message.tsx'
import { MiniCover } from '../../islands/parts/MiniCover.tsx'
import { OpenPayments } from '../../islands/parts/OpenPayments.tsx'
import { People } from '../../islands/parts/People.tsx'
import { ReceiptPicture } from '../../islands/parts/ReceiptPicture.tsx'
import { Section } from '../../islands/parts/Section.tsx'
import { ShareWays } from '../../islands/parts/ShareWays.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../islands/parts/States.tsx'
import { DeliveryNotice, TermsBox } from '../../islands/parts/TermsBox.tsx'
import { WrittenHead, WrittenText } from '../../islands/parts/WrittenPage.tsx'
import { StarChoice } from '../../islands/rating/StarChoice.tsx'
import { coverNote } from '../../rules/pictures.ts'
import { $choices } from '../../stores/library/shown.ts'
import { $kept } from '../../stores/offline/kept.ts'
import { $hasWorker } from '../../stores/offline/shells.ts'
import { announceProblem } from '../../stores/shared/notices.ts'
import { Piece } from './Piece.tsx'
import {
  DOCUMENTS,
  DOWNLOADS,
  INVOICES,
  KEPT,
  ORDERS,
  PAYMENT,
  PURCHASED,
  WRITTEN,
} from './samples.ts'

const { island, useTexts } = islandTexts(
  'common:methods',
  'invoice:page',
  'purchase:notice',
  'account:register',
  'password:strength',
  'charging:page',
  'charging:providers',
  'library:page',
  'library:reading',
  'library:shelves',
  'downloads:states',
  'catalogue:matieres',
  'catalogue:niveaux',
  'catalogue:categories',
  'order:page',
  'payment:photos',
  'share:ways',
  'chat:page',
  'ratings:form',
  'errors:open',
  'errors:codes',
  'offline:keep',
  'versions:library',
)

const PASSWORDS = ['abc', 'Karras2026', 'une longue phrase que je retiens']
const ME = 1

const messageOf = (
  id: number,
  senderId: number,
  content: string,
  author: string | null = null,
) => ({
  id,
  senderId,
  receiverId: senderId === ME ? 2 : ME,
  roomId: 'room_1_2',
  author,
  content,
  timestamp: '2026-03-05T10:00:00Z',
})

function Pieces({ seller }: { seller: Seller }) {
  const register = useTexts('account:register')
  const library = useTexts('library:page')
  const reading = useTexts('library:reading')
  const receipt = useTexts('payment:photos')
  const { close } = useTexts('chat:page').picker
  const ways = useTexts('share:ways')
  const [stars, setStars] = useState(3)
  const [dialog, setDialog] = useState<'plain' | 'wide' | null>(null)
  return (
    <>
      <Piece title="Field, PasswordField, GenderField, EmailAddress">
        <p>
          <EmailAddress email="parent@karras.test" />
        </p>
        <Field name="plain" label={register.email} />
        <Field name="hint" label={register.email} hint={register.passwordHint} />
        <Field name="wrong" label={register.email} error={register.errors.required} />
        <PasswordField
          name="password"
          label={register.email}
          show={register.show}
          hide={register.hide}
        />
        {PASSWORDS.map((password) => (
          <PasswordAdvice key={password} password={password} />
        ))}
        <GenderField
          name="gender"
          label={register.gender}
          options={register}
          error={register.errors.required}
        />
      </Piece>
      <Piece title="StarChoice, MethodChoice">
        <StarChoice value={stars} onChoose={setStars} />
        <MethodChoice provider="konnect" methods={['gateway', 'd17']} chosen="d17" />
      </Piece>
      <Piece title="EmptyState, ErrorState, Skeleton, OpenPayments">
        <EmptyState title={library.empty.title} text={library.empty.text} />
        <ErrorState title={library.failed.title} text={reading.problems.preview_failed} />
        <Skeleton text={library.loading} shapes={['line', 'button', 'line']} />
        <OpenPayments payments={[PAYMENT]} />
      </Piece>
      <Piece title="Invoices, TermsBox">
        <Invoices invoices={INVOICES} buyer={null} onAsk={nothing} onDownload={nothing} />
        <Invoices invoices={[]} buyer="سلمى بن عمر" onAsk={nothing} onDownload={nothing} />
        <TermsBox terms={1} />
        <DeliveryNotice />
      </Piece>
      <Piece title="CopyButton, ShareWays">
        <div className="cluster">
          <CopyButton text="Karras" label={ways.copy} copied={ways.copied} />
          <ShareWays text="Karras" url="https://karras.test" />
        </div>
      </Piece>
      <Piece title="ReceiptPicture">
        {[drawnPhoto, fails].map((read) => (
          <ReceiptPicture
            key={read.name}
            photo={PHOTO}
            read={read}
            alt={receipt.title}
            texts={receipt}
          />
        ))}
      </Piece>
      <Piece title="MiniCover">
        <div className="cluster">
          {DOCUMENTS.map((document) => (
            <MiniCover
              key={document.id}
              cover={coverNote({ ...document, matiereCode: document.matiere.code })}
            />
          ))}
        </div>
      </Piece>
      <Piece title="DocumentTable">
        <DocumentTable documents={PURCHASED} choices={$choices.get()} />
      </Piece>
      {ORDERS.map((order) => (
        <Piece title={`Receipt: ${order.status}`} key={order.status}>
          <Receipt order={order} seller={seller} />
        </Piece>
      ))}
      <Piece title="Message, Waiting">
        <AtSide value={customerSide}>
          <ol className="chat__log">
            <Message
              message={messageOf(1, ME, 'السلام عليكم، هل يوجد امتحان تجريبي في الرياضيات؟')}
              me={ME}
              name="Karras"
            />
            <Message
              message={messageOf(2, 2, 'Bonjour ! Oui, il y en a trois.', 'أحمد الطرابلسي')}
              me={ME}
              name="Karras"
            />
            {[false, true].map((isRefused) => (
              <Waiting
                key={String(isRefused)}
                message={{
                  clientId: String(isRefused),
                  userId: ME,
                  roomId: 'room_1_2',
                  at: 0,
                  content: 'شكرًا !',
                  isRefused,
                }}
              />
            ))}
          </ol>
        </AtSide>
      </Piece>
      <Piece title="Dialog, Toast">
        <div className="cluster">
          <Button onClick={() => setDialog('plain')}>Dialog</Button>
          <Button onClick={() => setDialog('wide')}>Dialog, isWide</Button>
          <Button onClick={() => announceProblem('download_failed')}>Toast</Button>
        </div>
        {dialog && (
          <Dialog
            title={library.empty.title}
            closeText={close}
            isWide={dialog === 'wide'}
            onClose={() => setDialog(null)}
            foot={
              <Button kind="primary" onClick={() => setDialog(null)}>
                {close}
              </Button>
            }
          >
            <p>{library.empty.text}</p>
          </Dialog>
        )}
      </Piece>
      <ReadingPieces />
    </>
  )
}

/**
 * These stores are read-only, because only real events change them; the gallery has to set samples.
 */
const written = <T,>(store: { get(): T }) => store as WritableAtom<T>

const endless = () => new Promise<never>(() => {})
const failing = () => Promise.reject(new Error('It fails.'))

function ReadingPieces() {
  const locale = useLocale()
  const states = useTexts('downloads:states')
  const { lessons } = useTexts('catalogue:categories')
  const { loading, failed } = useTexts('library:page')
  const { problems } = useTexts('library:reading')
  const later = {
    loading: { text: loading, shapes: ['line', 'button'] as const },
    failed,
    give: {},
  }
  useSamples()
  return (
    <>
      <Piece title="ErrorAlert, Later">
        <ErrorAlert text={problems.download_failed} />
        <Later {...later} load={endless} />
        <Later {...later} load={failing} />
      </Piece>
      <Piece title="DownloadButton, DownloadNote">
        <DownloadButton
          document={{ documentId: 9000, title: '', fileSize: 4_000_000 }}
          place="library"
        />
        {DOWNLOADS.map((state) => (
          <DownloadNote
            key={state.phase === 'failed' ? state.problem : state.phase}
            state={state}
            documentId={9000}
            texts={states}
          />
        ))}
      </Piece>
      <Piece title="KeepButton">
        <KeepButton documentId={9100} title="" />
        {KEPT.map(({ documentId, title }) => (
          <KeepButton key={documentId} documentId={documentId} title={title} version={2} />
        ))}
      </Piece>
      <Piece title="BookCover">
        <div className="grid">
          {DOCUMENTS.map((book) => (
            <BookCover
              key={book.id}
              book={book}
              subject={book.matiere.code}
              lines={[book.teacher.name]}
              kind={lessons}
            />
          ))}
        </div>
      </Piece>
      <Piece title="WrittenHead, WrittenText">
        <article className="leaf">
          <WrittenHead page={WRITTEN} locale={locale} as="p" />
          <WrittenText page={WRITTEN} locale={locale} />
        </article>
      </Piece>
      <Piece title="Section, Questions, People">
        <Section name="section" title={WRITTEN.title}>
          {WRITTEN.lead}
        </Section>
        <Faq questions={WRITTEN.items} locale={locale} />
        <People people={WRITTEN.items} locale={locale} />
      </Piece>
    </>
  )
}

/** Restores the samples whenever the stores have loaded this browser's real data. */
function useSamples() {
  const kept = useStore($kept)
  const hasWorker = useStore($hasWorker)
  useEffect(() => {
    if (KEPT.some(({ documentId }) => !kept.has(documentId))) {
      const all = KEPT.map((each) => [each.documentId, each] as const)
      written($kept).set(new Map([...kept, ...all]))
    }
    if (!hasWorker) written($hasWorker).set(true)
  }, [kept, hasWorker])
}

const nothing = async () => {}

const PHOTO = { id: 1, width: 160, height: 40, addedAt: '2026-03-05T10:00:00Z' }
const DRAWN =
  '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><text y="24">D17 25,000</text></svg>'
const drawnPhoto = async () => new Blob([DRAWN], { type: 'image/svg+xml' })
const fails = () => Promise.reject(new Error('lost'))

export default island(Pieces)
