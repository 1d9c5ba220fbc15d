import * as officeJoining from '../../contract/office-joining.ts'
import { resource } from './loader.ts'

export const {
  $state: $joining,
  load: loadJoining,
  refresh: refreshJoining,
} = resource(officeJoining.listJoinRequests)
