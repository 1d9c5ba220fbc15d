import { type ReactNode, useState } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import type { TextsAt } from '../../i18n/text-keys.ts'
import { GenderField } from '../../islands/account/GenderField.tsx'
import { PasswordAdvice } from '../../islands/account/PasswordAdvice.tsx'
import { MethodChoice } from '../../islands/charging/MethodChoice.tsx'
import { Message, Waiting } from '../../islands/chat/Message.tsx'
import { DocumentTable } from '../../islands/my-documents/DocumentTable.tsx'
import type { CatalogueTexts } from '../../islands/my-documents/texts.ts'
import { Receipt } from '../../islands/order/Receipt.tsx'
import type { Seller } from '../../islands/order/texts.ts'
import { Dialog } from '../../islands/parts/Dialog.tsx'
import { Field, PasswordField } from '../../islands/parts/Field.tsx'
import { MiniCover } from '../../islands/parts/MiniCover.tsx'
import { OpenPayments } from '../../islands/parts/OpenPayments.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../islands/parts/States.tsx'
import { StarChoice } from '../../islands/rating/StarChoice.tsx'
import { coverNote } from '../../rules/cover.ts'
import { announceProblem } from '../../stores/shared/notices.ts'
import { DOCUMENTS, ORDERS, PAYMENT, PURCHASED } from './samples.ts'

interface Props {
  locale: Locale
  seller: Seller
  texts: {
    register: TextsAt<'account:register'>
    strength: TextsAt<'password:strength'>
    chat: TextsAt<'chat:page'>
    order: TextsAt<'order:page'>
    library: TextsAt<'library:page'>
    reading: TextsAt<'library:reading'>
    names: CatalogueTexts
    method: TextsAt<'charging:page.method'>
    gateway: string
    open: TextsAt<'errors:open'>
    rating: TextsAt<'ratings:form'>
  }
}

const PASSWORDS = ['abc', 'Karras2026', 'une longue phrase que je retiens']
const ME = 1

const said = (id: number, senderId: number, content: string, author: string | null = null) => ({
  id,
  senderId,
  receiverId: senderId === ME ? 2 : ME,
  roomId: 'room_1_2',
  author,
  content,
  timestamp: '2026-03-05T10:00:00Z',
})

/** The pieces of the islands, with what they show in each of their states. */
export default function Pieces({ locale, seller, texts }: Props) {
  const [stars, setStars] = useState(3)
  const [dialog, setDialog] = useState<'plain' | 'wide' | null>(null)
  const { register } = texts
  return (
    <>
      <Piece title="Field, PasswordField, GenderField">
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
          <PasswordAdvice key={password} password={password} texts={texts.strength} />
        ))}
        <GenderField
          name="gender"
          label={register.gender}
          options={register}
          error={register.errors.required}
        />
      </Piece>
      <Piece title="StarChoice, MethodChoice">
        <StarChoice locale={locale} texts={texts.rating} value={stars} onChoose={setStars} />
        <MethodChoice
          methods={['gateway', 'd17']}
          chosen="d17"
          texts={{ ...texts.method, gateway: texts.gateway }}
        />
      </Piece>
      <Piece title="EmptyState, ErrorState, Skeleton, OpenPayments">
        <EmptyState title={texts.library.empty.title} text={texts.library.empty.text} />
        <ErrorState
          title={texts.library.failed.title}
          text={texts.reading.problems.preview_failed}
        />
        <Skeleton text={texts.library.loading} shapes={['line', 'button', 'line']} />
        <OpenPayments payments={[PAYMENT]} locale={locale} texts={texts.open} />
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
        <DocumentTable
          documents={PURCHASED}
          locale={locale}
          texts={texts.library}
          problems={texts.reading.problems}
          names={texts.names}
        />
      </Piece>
      {ORDERS.map((order) => (
        <Piece title={`Receipt: ${order.status}`} key={order.status}>
          <Receipt order={order} locale={locale} texts={texts.order} seller={seller} />
        </Piece>
      ))}
      <Piece title="Message, Waiting">
        <ol className="chat__log">
          <Message
            message={said(1, ME, 'السلام عليكم، هل يوجد امتحان تجريبي في الرياضيات؟')}
            me={ME}
            name="Karras"
            locale={locale}
            texts={texts.chat}
          />
          <Message
            message={said(2, 2, 'Bonjour ! Oui, il y en a trois.', 'أحمد الطرابلسي')}
            me={ME}
            name="Karras"
            locale={locale}
            texts={texts.chat}
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
              locale={locale}
              texts={texts.chat}
            />
          ))}
        </ol>
      </Piece>
      <Piece title="Dialog, Toast">
        <div className="cluster">
          <button type="button" className="button" onClick={() => setDialog('plain')}>
            Dialog
          </button>
          <button type="button" className="button" onClick={() => setDialog('wide')}>
            Dialog, isWide
          </button>
          <button
            type="button"
            className="button"
            onClick={() => announceProblem('download_failed')}
          >
            Toast
          </button>
        </div>
        {dialog && (
          <Dialog
            title={texts.library.empty.title}
            closeText={texts.reading.close}
            isWide={dialog === 'wide'}
            onClose={() => setDialog(null)}
            foot={
              <button
                type="button"
                className="button button--primary"
                onClick={() => setDialog(null)}
              >
                {texts.reading.close}
              </button>
            }
          >
            <p>{texts.library.empty.text}</p>
          </Dialog>
        )}
      </Piece>
    </>
  )
}

function Piece({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack gallery__piece">
      <h2 dir="ltr">{title}</h2>
      {children}
    </section>
  )
}
