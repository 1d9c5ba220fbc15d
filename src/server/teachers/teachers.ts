// The face of teachers: the rest of the server uses only this.

export { setPicture, setPictureFile } from './picture.ts'
export { findProfile, type Profile, presentProfile, textOfProfile } from './profile.ts'
export { saveProfile } from './write.ts'
