// What both pages share.

// refusal returns in words why the program refused what it was asked for.
export async function refusal(answer) {
  return answer.status === 401 ? 'reload this page to log in' : (await answer.text()).trim() || answer.statusText;
}
