import '../../parts/facts.css'
import { Contacts } from '../../islands/own-account/Contacts.tsx'
import { EmailAddress } from '../../islands/parts/EmailAddress.tsx'
import { useTexts } from '../../islands/parts/island.tsx'
import { LoadedStore } from '../kit/loaded-store.tsx'
import { own } from './own-account.ts'

/** The e-mail address and the phone number of a member of staff, who changes them as customers do. */
export function OwnContacts({ reachesPhones }: { reachesPhones: boolean }) {
  const texts = useTexts('own-account:page')
  return (
    <LoadedStore from={own} texts={texts} shapes={['line', 'button']}>
      {(account) => (
        <Contacts account={account} contacts={own.contacts} reachesPhones={reachesPhones}>
          <dl className="facts-list">
            <div>
              <dt>{texts.who.email}</dt>
              <dd>{account.email ? <EmailAddress email={account.email} /> : texts.who.none}</dd>
            </div>
            <div>
              <dt>{texts.who.phone}</dt>
              <dd>{account.phone ? <bdi dir="ltr">{account.phone}</bdi> : texts.who.none}</dd>
            </div>
          </dl>
        </Contacts>
      )}
    </LoadedStore>
  )
}
