/**
 * The counted steps of a visit: entering the site, opening a document, putting one into the cart.
 */
export const VISIT_STEPS = ['visit', 'details', 'cart'] as const
export type VisitStep = (typeof VISIT_STEPS)[number]
