/** What a redirect does beside leading elsewhere: bits of its last field. See `ChangeConfig`. */

export const enum RedirectFlag {
  PreserveParameters = 1,
  AllowChain = 2,
}
