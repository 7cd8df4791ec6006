/** A field that is never shown in outputs, logs or errors. */
export const secret = (name: string, help: string) => ({ name, secret: true, help });
/** A field that is not secret and may be used in a recipe's base URL. */
export const open = (name: string, help: string) => ({ name, secret: false, help });
