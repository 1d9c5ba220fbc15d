import * as officeJoining from '../../../contract/office-joining.ts'
import { resource } from '../../kit/loader.ts'

export const {
  $state: $joining,
  load: loadJoining,
  refresh: refreshJoining,
} = resource(officeJoining.listJoinRequests)
