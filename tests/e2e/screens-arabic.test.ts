// @everyday: every page once, in Arabic on a phone or in French on a desktop.
import { describe } from 'vitest'
import { lookAtScreens } from '../support/screens.ts'

describe('in Arabic on a phone', () => lookAtScreens('phone'))
