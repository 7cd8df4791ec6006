/** What the owner of a credential has to do before runs can use it. */
export const describeMissingSignIn = (name: string): string =>
	`credential ${JSON.stringify(name)} is not signed in, or no longer: its owner signs in in the console under Credentials, or with tripline creds sign-in`;
