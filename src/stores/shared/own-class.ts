import { OWN_CLASS_KEY } from '../../rules/storage-keys.ts'
import { persistedText } from './persistence.ts'

/**
 * The class that the visitor last chose in this browser, '' without a choice: a line for each language, of
 * its code, the path of the class's page and that page's name. So whatever offers it knows no classes.
 */
export const $ownClass = persistedText(OWN_CLASS_KEY)
