/** What is wrong with a backup or where it is kept: one line for the operator. */
export class BackupProblem extends Error {
	override readonly name = "BackupProblem";
}
