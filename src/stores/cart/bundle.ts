import * as rules from '../../rules/cart.ts'
import { $localCart } from '../user-data/kept-cart.ts'

/** Puts documents of a bundle into the cart, or what is there already into the bundle. */
export function addBundle(items: readonly rules.NewItem[]): void {
  $localCart.set(items.reduce(rules.addToCart, $localCart.get()))
}
