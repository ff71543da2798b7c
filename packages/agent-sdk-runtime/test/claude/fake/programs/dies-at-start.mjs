// Ends before a word, with secrets on stderr.
process.stderr.write(`${"noise\n".repeat(5000)}`);
process.stderr.write("Authorization: Bearer abcdef1234567890\nkey sk-ant-api03-SECRETSECRET\n");
process.stderr.write(`the variable is ${process.env.ANTHROPIC_API_KEY}\nfatal: cannot start\n`);
process.exitCode = 7;
