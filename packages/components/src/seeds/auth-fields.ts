/** Kept out of everything that is shown. */
export const secret = (name: string, help: string) => ({ name, secret: true, help });
/** May stand in a recipe's base URL. */
export const open = (name: string, help: string) => ({ name, secret: false, help });
