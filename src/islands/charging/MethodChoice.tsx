import '../parts/choices.css'
import type { Provider } from '../../contract/orders.ts'
import { chooseTopUpMethod, type TopUpMethod, topUpMethods } from '../../stores/wallet/top-up.ts'
import { useMethodName, useTexts } from './texts.ts'

interface Props {
  provider: Provider
  chosen: TopUpMethod
}

/**
 * The choice of how to pay a top-up: through the online gateway, if the shop has one, or by D17.
 */
export function MethodChoice({ provider, chosen }: Props) {
  const texts = useTexts('charging:page').method
  const nameOf = useMethodName(provider)
  return (
    <fieldset className="stack">
      <legend>{texts.title}</legend>
      {topUpMethods(provider).map((each) => (
        <label className="choice-card" key={each}>
          <input
            type="radio"
            name="method"
            value={each}
            checked={chosen === each}
            onChange={() => chooseTopUpMethod(each)}
          />
          <span>
            <strong>
              <bdi>{nameOf(each)}</bdi>
            </strong>
            <br />
            {texts[`${each}Note`]}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
